// The two rules.
//
//   Adam   m = β₁ m + (1−β₁) g,   v = β₂ v + (1−β₂) g²,   t the steps of this row
//          x −= η m/(1−β₁ᵗ) / (√(v/(1−β₂ᵗ)) + ε)
//   SGD    x −= η · pairs · g
// where g includes decay · x.
#include "solve/step_rule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sqmax/core/matrix.h"

#include "kernels/elementwise.h"
#include "kernels/listed.h"

namespace sqmax {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;
constexpr std::size_t kBiased = 20000;  // 1 − β₂ᵗ is 1 in single precision after so many steps

class Adam final : public StepRule {
 public:
  explicit Adam(const StepShape& shape)
      : first_(shape.rows, shape.cols), second_(shape.rows, shape.cols), counts_(at(shape.rows)) {
    corrected_.reserve(kBiased + 1);
    for (std::size_t t = 0; t <= kBiased; ++t) {
      const auto steps = static_cast<double>(std::max<std::size_t>(t, 1));
      const double rest1 = 1.0 - std::pow(kBeta1, steps);
      const double root2 = std::sqrt(1.0 - std::pow(kBeta2, steps));
      corrected_.push_back({.rate = static_cast<float>(shape.rate * root2 / rest1),
                            .beta1 = static_cast<float>(kBeta1),
                            .beta2 = static_cast<float>(kBeta2),
                            .epsilon = static_cast<float>(kEpsilon * root2)});
    }
  }

  void step(Offset row, std::span<const float> gradient, float decay, std::span<float> x) override {
    std::int64_t& count = counts_[at(row)];
    count = std::clamp<std::int64_t>(count, 0, kBiased - 1) + 1;  // a restored one may be anything
    kernels::adam_step(corrected_[at(count)], decay, gradient, first_.row(row), second_.row(row),
                       x);
  }

  void fetch(Offset row) const override {
    kernels::fetch(first_.row(row).data(), first_.row(row).size_bytes());
    kernels::fetch(second_.row(row).data(), second_.row(row).size_bytes());
    kernels::fetch(&counts_[at(row)], sizeof(std::int64_t));
  }

  void show(const std::string& name, StateVisitor& visitor) override {
    visitor.visit(name + ".first", first_.values());
    visitor.visit(name + ".second", second_.values());
    visitor.visit(name + ".counts", counts_);
  }

 private:
  Matrix first_;
  Matrix second_;
  std::vector<std::int64_t> counts_;
  std::vector<kernels::AdamStep> corrected_;  // by t
};

class Sgd final : public StepRule {
 public:
  explicit Sgd(const StepShape& shape) : rate_(static_cast<float>(shape.rate * shape.pairs)) {}

  void step(Offset /*row*/, std::span<const float> gradient, float decay,
            std::span<float> x) override {
    kernels::sgd_step(rate_, decay, gradient, x);
  }

  void fetch(Offset /*row*/) const override {}

  void show(const std::string& /*name*/, StateVisitor& /*visitor*/) override {}

 private:
  float rate_;
};

}  // namespace

std::unique_ptr<StepRule> adam_rule(const StepShape& shape) {
  return std::make_unique<Adam>(shape);
}

std::unique_ptr<StepRule> sgd_rule(const StepShape& shape) { return std::make_unique<Sgd>(shape); }

}  // namespace sqmax
