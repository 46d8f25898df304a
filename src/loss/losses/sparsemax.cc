// Sparsemax: the projection of scores onto probabilities, most of them zero.
// docs/losses/sparsemax.md
//
//   p = argmin_{p ∈ Δ} ‖p − o‖² = (o − t)₊,   Σ_y (o_y − t)₊ = 1,   S = {y : o_y > t}
//   ℓ_y = ½ Σ_S (o² − t²) + ½ − o_y,   ∂ Σ_{y∈I_x} ℓ_y / ∂o = n_x p − r
#include <algorithm>
#include <vector>

#include "kernels/elementwise.h"
#include "loss/declare_scores.h"

namespace sqmax {
namespace {

struct SparsemaxOptions {
  DescentOptions descent{.rate = 0.01, .decay = 2e-5, .batch = 128};

  template <class Visitor>
  void describe(Visitor& visit) {
    descent.describe(visit, "users");
  }
};

/// t, and what is above it.
struct Support {
  double threshold = 0.0;
  std::vector<float> scores;
};

// No score at or below max − 1 is in S, since the largest alone would pass 1. Of those above, the
// mean less 1/|S| is at most t: what is not above that goes, until nobody does (Michelot).
Support support_of(std::span<const float> scores) {
  Support support;
  const float least = kernels::largest(scores) - 1.0f;
  for (const float score : scores) {
    if (score > least) support.scores.push_back(score);
  }
  for (std::size_t before = 0; before != support.scores.size();) {
    before = support.scores.size();
    double sum = 0.0;
    for (const float score : support.scores) sum += score;
    support.threshold = (sum - 1.0) / static_cast<double>(before);
    std::erase_if(support.scores, [&](float score) { return score <= support.threshold; });
  }
  return support;
}

double sparsemax(std::span<const Index> observed, std::span<float> scores) {
  const Support support = support_of(scores);
  const double t = support.threshold;
  const auto degree = static_cast<float>(observed.size());
  double squares = 0.0;
  for (const float score : support.scores) squares += double{score} * score - t * t;
  double value = degree * (0.5 * squares + 0.5);
  for (const Index y : observed) value -= scores[at(y)];
  const auto threshold = static_cast<float>(t);
  for (float& score : scores) score = degree * std::max(score - threshold, 0.0f);
  for (const Index y : observed) scores[at(y)] -= 1.0f;
  return value;
}

ScoreLoss declare_sparsemax(const SparsemaxOptions& options) {
  return {.full = &sparsemax, .sampled = {}, .descent = options.descent.declare()};
}

}  // namespace

LossSpec sparsemax_loss() {
  return score_loss<SparsemaxOptions>(
      {.name = "sparsemax",
       .title = "softmax with probabilities that can be zero (Martins and Astudillo)",
       .formula = "Σ_R ( ½ Σ_{z∈S_x} (o_xz² − t_x²) + ½ − o_xy )"},
      &declare_sparsemax, 100);
}

}  // namespace sqmax
