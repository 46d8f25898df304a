// Explainer on the systems of fold-in.
#include "sqmax/serve/explainer.h"

#include <algorithm>

#include "core/fail.h"
#include "kernels/dense.h"
#include "serve/weighted_fold_in.h"

namespace sqmax {
namespace {

float value_or(std::span<const float> values, std::size_t place, float fallback) {
  return values.empty() ? fallback : values[place];
}

// b_zy, or 0.
float link(const Links& links, Index source, Index target) {
  if (links.empty()) return 0.0f;
  const auto row = links.targets.view().row(source);
  const auto found = std::ranges::lower_bound(row, target);
  if (found == row.end() || *found != target) return 0.0f;
  return links.values[at(links.targets.offsets[at(source)] + (found - row.begin()))];
}

}  // namespace

struct Explainer::State {
  explicit State(const Model& trained)
      : model(trained),
        fold_in(trained, column_degrees(trained.seen)),
        scaling(item_scaling(trained)) {}

  const Model& model;
  WeightedFoldIn fold_in;
  ItemScaling scaling;
};

Explainer::Explainer(const Model& model) : state_(std::make_unique<State>(model)) {
  if (model.Q.rank == 0 || !state_->fold_in.is_linear()) {
    fail(Errc::BadInput,
         "A model of the loss {} cannot be explained: its scores are not a sum over the history.",
         model.loss);
  }
}
Explainer::~Explainer() = default;

Explanation Explainer::explain(std::span<const Index> history, Index item,
                               const ExplainOptions& options) const {
  const Model& model = state_->model;
  const ConstMatrix Q = model.Q.view();
  std::vector<float> response(at(Q.cols));
  std::vector<float> p(options.vector.begin(), options.vector.end());
  state_->fold_in.respond(history, Q.row(item), response);
  if (p.empty()) {
    p.resize(at(Q.cols));
    state_->fold_in.row(history, options.weights, p);
  }
  const double scale = value_or(state_->scaling.scale, at(item), 1.0f);
  Explanation result;
  double linked = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const Index z = history[i];
    const double weight = value_or(options.weights, i, 1.0f);
    const double b = weight * link(model.links, z, item);
    const double pulled =
        state_->fold_in.pull(history.size(), z) * double{kernels::dot(response, Q.row(z))};
    const double part = scale * (weight * pulled + b);
    result.contributions.push_back({.item = z, .score = part});
    linked += b;
    sum += part;
  }
  std::ranges::stable_sort(result.contributions, std::ranges::greater(), &Contribution::score);
  result.score = scale * (double{kernels::dot(p, Q.row(item))} + linked) +
                 value_or(state_->scaling.bias, at(item), 0.0f);
  result.rest = result.score - sum;
  return result;
}

}  // namespace sqmax
