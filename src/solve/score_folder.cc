// Fold-in under a score loss.                                       docs/solvers/fold-in.md
//
//   p = argmin Σ_{y∈I} ℓ + D κ_x/2 |p|² + terms of the extra,  Q fixed, D the pairs of training
//
// of a full loss as it is; of a sampled one over samples that depend on the history alone, so many
// of them that their choice hardly matters.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sqmax/loss/loss_spec.h"

#include "kernels/dense.h"
#include "kernels/listed.h"
#include "solve/pair_slopes.h"
#include "solve/projected.h"
#include "solve/row_folder.h"
#include "solve/score_panels.h"

namespace sqmax {
namespace {

constexpr int kSteps = 100;
constexpr std::size_t kSamples = 1000;  // of a history, at least
constexpr std::uint64_t kMostRounds = 1 << 20;

/// The items that every item of a history is compared with, several times.
struct Samples {
  std::vector<Index> observed;  // of each comparison
  std::vector<Index> drawn;     // as many as the loss wants, of each
  float weight = 1.0f;          // of each
};

class UserFolder final : public RowFolder {
 public:
  explicit UserFolder(const Model& model)
      : model_(model),
        loss_(find_loss(model.loss).declare_scores(model.options)),
        sampler_(loss_.sampling, model.seen),
        pairs_(static_cast<double>(model.seen.nnz())) {
    if (loss_.is_full()) panels_.pack(model.Q.view());
  }

  void fold(CsrView histories, Offset begin, Offset end, MutableMatrix X) const override {
    for (Offset r = begin; r < end; ++r) {
      const auto history = histories.row(static_cast<Index>(r));
      std::ranges::fill(X.row(r), 0.0f);
      if (!history.empty()) minimise(history, X.row(r));
    }
  }

 private:
  // The extra, if there is one, is the last variable.
  void minimise(std::span<const Index> history, std::span<float> p) const {
    std::vector<float> x(p.size() + (loss_.user_extra ? 1 : 0), 0.0f);
    if (loss_.geometry == Geometry::Distance) {
      const std::vector<float> shares(history.size(), 1.0f / static_cast<float>(history.size()));
      kernels::listed_sum(history, shares, model_.Q.view(), std::span(x).first(p.size()));
    }
    if (loss_.user_extra) x.back() = static_cast<float>(loss_.user_extra->start);
    const Samples samples = loss_.is_full() ? Samples() : draw(history);
    Matrix scores(1, loss_.is_full() ? model_.Q.rows : 0);
    PairSlopes pair(loss_);
    const double decay = pairs_ * row_decay(loss_.descent, static_cast<double>(history.size()),
                                            pairs_ / model_.user_count());
    const auto value = [&](std::span<const float> at_x, std::span<float> gradient) {
      std::ranges::fill(gradient, 0.0f);
      const double loss = loss_.is_full() ? full_value(history, at_x, scores, gradient)
                                          : sampled_value(samples, at_x, pair, gradient);
      return loss + penalty(at_x, decay, gradient);
    };
    minimise_projected({value, [this](std::span<float> y) { project(y); }}, kSteps, x);
    std::copy_n(x.begin(), p.size(), p.begin());
  }

  double full_value(std::span<const Index> history, std::span<const float> x, Matrix& scores,
                    std::span<float> gradient) const {
    const auto rank = static_cast<Offset>(x.size());
    panels_.score({x.data(), 1, rank}, scores.view());
    const double value = loss_.full(history, scores.row(0));
    add_product_in_parts(scores, model_.Q.view(), {gradient.data(), 1, rank});
    return value;
  }

  double sampled_value(const Samples& samples, std::span<const float> x, PairSlopes& pair,
                       std::span<float> gradient) const {
    const ConstMatrix Q = model_.Q.view();
    const auto p = x.first(at(Q.cols));
    const float extra = loss_.user_extra ? x.back() : 0.0f;
    const std::size_t drawn = at(loss_.sampling.negatives);
    std::vector<Index> items(drawn + 1);
    double sum = 0.0;
    for (std::size_t c = 0; c < samples.observed.size(); ++c) {
      const Index y = items[0] = samples.observed[c];
      std::ranges::copy(std::span(samples.drawn).subspan(c * drawn, drawn), items.begin() + 1);
      const float item_extra = loss_.item_extra ? model_.item_extra[at(y)] : 0.0f;
      sum += samples.weight * pair.evaluate(items, p, Q, extra, item_extra, sampler_);
      pair.scale(samples.weight);
      pair.add_user_gradient(p, Q, gradient.first(p.size()));
      if (loss_.user_extra) gradient.back() += pair.user_extra_slope();
    }
    return sum;
  }

  double penalty(std::span<const float> x, double decay, std::span<float> gradient) const {
    const auto p = x.first(at(model_.Q.rank));
    kernels::axpy(static_cast<float>(decay), p, gradient.first(p.size()));
    double value = decay / 2.0 * kernels::dot(p, p);
    if (!loss_.user_extra) return value;
    const double slope = pairs_ * loss_.user_extra->slope / model_.user_count();
    gradient.back() += static_cast<float>(slope);
    return value + slope * x.back();
  }

  void project(std::span<float> x) const {
    const auto p = x.first(at(model_.Q.rank));
    const double length = std::sqrt(double{kernels::dot(p, p)});
    if (loss_.radius > 0.0 && length > loss_.radius) {
      for (float& value : p) value *= static_cast<float>(loss_.radius / length);
    }
    if (!loss_.user_extra) return;
    x.back() = std::clamp(x.back(), static_cast<float>(loss_.user_extra->low),
                          static_cast<float>(loss_.user_extra->high));
  }

  // A stream for every item and round, so that an item has its draws in any history.
  Samples draw(std::span<const Index> history) const {
    Samples samples;
    const std::size_t negatives = at(loss_.sampling.negatives);
    const std::size_t rounds = std::max<std::size_t>(kSamples / (negatives * history.size()), 1);
    std::vector<Index> drawn(negatives);
    for (const Index y : history) {
      for (std::uint64_t round = 0; round < rounds; ++round) {
        Random random(0, Purpose::Negative, static_cast<std::uint64_t>(y) * kMostRounds + round);
        if (!sampler_.draw(history, model_.seen.indices.span(), random, drawn)) return samples;
        samples.observed.push_back(y);
        samples.drawn.insert(samples.drawn.end(), drawn.begin(), drawn.end());
      }
    }
    samples.weight = 1.0f / static_cast<float>(rounds);
    return samples;
  }

  const Model& model_;
  ScoreLoss loss_;
  Sampler sampler_;
  double pairs_;
  ScorePanels panels_;
};

class ItemFolder final : public RowFolder {
 public:
  explicit ItemFolder(const Model& model) : P_(model.P.view()) {}

  void fold(CsrView histories, Offset begin, Offset end, MutableMatrix X) const override {
    for (Offset r = begin; r < end; ++r) {
      const auto users = histories.row(static_cast<Index>(r));
      std::ranges::fill(X.row(r), 0.0f);
      if (users.empty()) continue;
      const std::vector<float> shares(users.size(), 1.0f / static_cast<float>(users.size()));
      kernels::listed_sum(users, shares, P_, X.row(r));
    }
  }

 private:
  ConstMatrix P_;
};

}  // namespace

std::unique_ptr<RowFolder> score_folder(const Model& model, Side side) {
  if (side == Side::Items) return std::make_unique<ItemFolder>(model);
  return std::make_unique<UserFolder>(model);
}

}  // namespace sqmax
