// WeightedFoldIn: plain fold-in, and its answer to the louder part.
#include "serve/weighted_fold_in.h"

#include "core/fail.h"
#include "kernels/dense.h"

namespace sqmax {

WeightedFoldIn::WeightedFoldIn(const Model& model, std::span<const Index> item_degrees)
    : model_(model), fold_in_(model) {
  for (const Index degree : item_degrees) pulls_.push_back(model.law.items.pull(degree));
  std::vector<float> x(at(model.Q.rank));
  is_linear_ = fold_in_.respond({}, x, x);
}

double WeightedFoldIn::pull(std::size_t size, Index item) const {
  return model_.law.users.pull(static_cast<double>(size)) * pulls_[at(item)];
}

void WeightedFoldIn::row(std::span<const Index> history, std::span<const float> weights,
                         std::span<float> p) const {
  fold_in_.row(history, p);
  if (weights.empty()) return;
  if (!is_linear_) {
    fail(Errc::BadInput,
         "A model of the loss {} takes no weights: its vectors are not linear in the history.",
         model_.loss);
  }
  std::vector<float> louder(p.size());
  for (std::size_t i = 0; i < history.size(); ++i) {
    const double more = (double{weights[i]} - 1.0) * pull(history.size(), history[i]);
    kernels::axpy(static_cast<float>(more), model_.Q.view().row(history[i]), louder);
  }
  std::vector<float> answer(p.size());
  fold_in_.respond(history, louder, answer);
  kernels::axpy(1.0f, answer, p);
}

}  // namespace sqmax
