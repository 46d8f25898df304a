// RowFolder: how the rows of FoldIn are made, for each kind of loss.  docs/solvers/fold-in.md
#pragma once

#include <memory>
#include <span>

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/model/model.h"

namespace sqmax {

class RowFolder {
 public:
  virtual ~RowFolder() = default;
  /// Rows [begin, end) of X from those of `histories`; several calls at the same time.
  virtual void fold(CsrView histories, Offset begin, Offset end, MutableMatrix X) const = 0;
  /// x = A⁻¹ d, see FoldIn; false: rows are not made by a linear system.
  virtual bool respond(std::span<const Index> /*history*/, std::span<const float> /*d*/,
                       std::span<float> /*x*/) const {
    return false;
  }
};

/// `model` must outlive it.
std::unique_ptr<RowFolder> squared_folder(const Model& model, Side side);

/// Of a model whose loss is a score loss. Users minimise it; of an item the loss says nothing by
/// itself, since it compares items, and it gets the mean of its users: a start for training.
std::unique_ptr<RowFolder> score_folder(const Model& model, Side side);

}  // namespace sqmax
