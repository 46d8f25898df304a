// FoldIn: the vector of a user or item that training never saw, exactly as training would have
// made it.
// docs/solvers/fold-in.md
#pragma once

#include <memory>
#include <span>

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/model/model.h"

namespace sqmax {

/// Prepared once per model and side, in O(N·K²) for users; then O(n·K² + K³) for a history of n
/// items. Of an item, the history is the users who have it.
class FoldIn {
 public:
  /// `model` must outlive it.
  explicit FoldIn(const Model& model, Side side = Side::Users);
  ~FoldIn();
  FoldIn(FoldIn&&) noexcept;
  FoldIn& operator=(FoldIn&&) noexcept;

  /// x = argmin over one more row of that side, with all others fixed; of an item under a score
  /// loss, the mean of its users. `history`: distinct rows of the other side, ascending. Throws
  /// Errc::BadInput if it is beyond single precision.
  void row(std::span<const Index> history, std::span<float> x) const;

  /// A row per row of `histories`, each as if it were the only one, in parallel.
  Matrix rows(CsrView histories) const;

  /// Under a squared loss row() solves A x = b, and what one thing of the history adds to b adds to
  /// x·d by its product with A⁻¹ d, which this gives. False for a score loss.
  bool respond(std::span<const Index> history, std::span<const float> d, std::span<float> x) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
