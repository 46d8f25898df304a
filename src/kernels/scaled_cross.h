// scaled_cross: Xᵀ diag(w) Y for as many rows as stay in the cache.            docs/kernels.md
#pragma once

#include <span>

#include "kernels/dense.h"

namespace sqmax::kernels {

/// C += Xᵀ diag(w) Y, where X has C.rows columns, and Y the rows of X and at most C.cols columns.
/// diag(w) Y is made in `scaled`, which has C.cols columns, zeros beside those of Y, and at least
/// as many rows as Y. Upper: entries below the diagonal of C are undefined afterwards. Each entry
/// is summed in ascending rows. Of what is `coming` next as much is fetched meanwhile.
void scaled_cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y, const Panel& C,
                  Triangle triangle, MutableMatrix scaled, std::span<const float> coming);

}  // namespace sqmax::kernels
