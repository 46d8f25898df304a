// packed_cross: Xᵀ diag(w) Y for as many rows as stay in the cache.            docs/kernels.md
#pragma once

#include <span>

#include "kernels/dense.h"

namespace sqmax::kernels {

/// What `packed_cross` writes meanwhile, for that many rows and columns of X.
inline Offset packed_size(Offset rows, Offset cols) { return rows * whole_lines(cols); }

/// C += Xᵀ diag(w) Y, where X has C.rows columns or more, and Y the rows of X, `y_stride` apart,
/// with C.cols columns. Upper: entries below the diagonal of C are undefined afterwards. Each entry
/// is summed in ascending rows. Of what is `coming` next as much is fetched meanwhile.
void packed_cross(ConstMatrix X, std::span<const float> w, const float* Y, Offset y_stride,
                  const Panel& C, Triangle triangle, std::span<float> packed,
                  std::span<const float> coming);

}  // namespace sqmax::kernels
