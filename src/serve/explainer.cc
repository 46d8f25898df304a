// Explainer on the systems of fold-in.
#include "sqmax/serve/explainer.h"

#include <algorithm>

#include "sqmax/solve/fold_in.h"

#include "core/fail.h"
#include "kernels/dense.h"

namespace sqmax {
namespace {

float value_or(const std::vector<float>& values, Index y, float fallback) {
  return values.empty() ? fallback : values[at(y)];
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
      : model(trained), fold_in(trained), scaling(item_scaling(trained)) {
    for (const Index degree : column_degrees(model.seen)) {
      pulls.push_back(model.law.items.pull(degree));
    }
  }

  const Model& model;
  FoldIn fold_in;
  ItemScaling scaling;
  std::vector<double> pulls;  // ρ_z
};

Explainer::Explainer(const Model& model) : state_(std::make_unique<State>(model)) {
  std::vector<float> x(at(model.Q.rank));
  if (x.empty() || !state_->fold_in.respond({}, x, x)) {
    fail(Errc::BadInput,
         "A model of the loss {} cannot be explained: its scores are not a sum over the history.",
         model.loss);
  }
}
Explainer::~Explainer() = default;

Explanation Explainer::explain(std::span<const Index> history, Index item) const {
  const Model& model = state_->model;
  const ConstMatrix Q = model.Q.view();
  std::vector<float> w(at(Q.cols));
  std::vector<float> p(at(Q.cols));
  state_->fold_in.respond(history, Q.row(item), w);
  state_->fold_in.row(history, p);
  const double scale = value_or(state_->scaling.scale, item, 1.0f);
  const double pull = model.law.users.pull(static_cast<double>(history.size()));
  Explanation result;
  double linked = 0.0;
  double sum = 0.0;
  for (const Index z : history) {
    const double b = link(model.links, z, item);
    const double part = pull * state_->pulls[at(z)] * double{kernels::dot(w, Q.row(z))} + b;
    result.contributions.push_back({.item = z, .score = scale * part});
    linked += b;
    sum += scale * part;
  }
  std::ranges::stable_sort(result.contributions, std::ranges::greater(), &Contribution::score);
  result.score = scale * (double{kernels::dot(p, Q.row(item))} + linked) +
                 value_or(state_->scaling.bias, item, 0.0f);
  result.rest = result.score - sum;
  return result;
}

}  // namespace sqmax
