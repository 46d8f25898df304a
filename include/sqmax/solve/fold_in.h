// FoldIn: the vector of a user that training never saw, exactly as training would have made it.
// docs/solvers/fold-in.md
#pragma once

#include <memory>
#include <span>

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/model/model.h"

namespace sqmax {

/// Prepared once per model, in O(N·K²); then O(n·K² + K³) for a history of n items.
class FoldIn {
 public:
  /// `model` must outlive it.
  explicit FoldIn(const Model& model);
  ~FoldIn();
  FoldIn(FoldIn&&) noexcept;
  FoldIn& operator=(FoldIn&&) noexcept;

  /// p = argmin over one user with Q fixed. `history`: distinct items, ascending.
  void user(std::span<const Index> history, std::span<float> p) const;

  /// A row per row of `histories`, in parallel.
  Matrix users(CsrView histories) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
