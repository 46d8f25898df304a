// Sparse products, from single precision and from halves.
#pragma once

#include "fuzz/kernels/draws.h"
#include "kernels/sparse.h"

namespace sqmax::kernels_fuzz {

// Halves have room for each s_j x_j; of what goes onward they may have none.
inline void check_sparse(Draws& draws) {
  const Matrix X = draws.matrix(1 + draws.size(60), draws.size(140));
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Offset rows = draws.size(40); rows > 0; --rows) {
    const Offset sparseness = 1 + draws.below(8);
    for (Offset j = 0; j < X.rows(); ++j) {
      if (draws.below(sparseness) == 0) indices.push_back(static_cast<Index>(j));
    }
    offsets.push_back(std::ssize(indices));
  }
  const kernels::Pattern R{offsets, indices};
  const auto s = draws.values(X.rows());
  const auto scale = draws.values(R.rows());
  const auto lean = draws.values(R.rows());
  const auto centre = draws.values(X.cols());
  const kernels::RowFinish finish{
      .scale = scale, .lean = lean, .centre = centre, .add = draws.value() < 0.0f};
  const Matrix start = draws.matrix(R.rows(), X.cols());
  Matrix want = start;
  kernels::reference::sparse_product(R, X, s, finish, want.view());
  kernels::DenseSide side;
  for (const auto storage : {kernels::Storage::Half, kernels::Storage::Single}) {
    side.assign(X, s, storage);
    Matrix Y = start;
    kernels::sparse_product(R, side, finish, Y.view());
    require(same(Y.values(), want.values()));
  }
  const kernels::RowFinish onward{.scale = scale, .lean = lean, .centre = centre};
  kernels::DenseSide sent;
  require(kernels::onward_product(R, side, onward, sent) ==
          kernels::reference::onward_product(R, X, s, onward, want.view()));
  std::vector<Offset> each(at(R.rows() + 1));
  std::iota(each.begin(), each.end(), Offset{0});
  std::vector<Index> itself(at(R.rows()));
  std::iota(itself.begin(), itself.end(), Index{0});
  Matrix Y(R.rows(), X.cols());
  kernels::sparse_product({each, itself}, sent, {}, Y.view());
  require(same(Y.values(), want.values()));
}

}  // namespace sqmax::kernels_fuzz
