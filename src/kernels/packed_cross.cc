// Body of packed_cross, compiled once per instruction set by Highway.
//
// A row of tiles reads kTileRows columns of X. In X these are a few floats of every cache line;
// packed next to each other, with w multiplied in, they take as little room as they need, and Y
// stays near.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/packed_cross.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <algorithm>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/packed_cross.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

// packed[c/t][r][c%t] = w_r X_rc with t = kTileRows, for the columns from `from` on; what is
// missing of the last t columns stays undefined.
HWY_ATTR void pack_row(ConstMatrix X, const float* w, Offset r, Offset from, float* packed) {
  const hn::CappedTag<float, kTileRows> group;
  const auto width = Offset(hn::Lanes(group));
  const auto weight = hn::Set(group, w[r]);
  const float* HWY_RESTRICT x = X.data + r * X.cols;
  Offset c = from;
  for (; c + kTileRows <= X.cols; c += kTileRows) {
    float* HWY_RESTRICT to = packed + c * X.rows + r * kTileRows;
    for (Offset i = 0; i < kTileRows; i += width) {
      hn::StoreU(hn::Mul(weight, hn::LoadU(group, x + c + i)), group, to + i);
    }
  }
  for (Offset i = 0; c + i < X.cols; ++i) packed[c * X.rows + r * kTileRows + i] = w[r] * x[c + i];
}

// Rows r and r + 1 lie next to each other in a group of columns: two groups of two rows are
// two vectors, halves exchanged. Returns how many columns are packed.
HWY_ATTR Offset pack_two_rows(ConstMatrix X, const float* w, Offset r, float* packed) {
#if HWY_MAX_BYTES < 32
  (void)X, (void)w, (void)r, (void)packed;
  return 0;
#else
  constexpr Offset kTwo = 2 * kTileRows;
  const hn::FixedTag<float, kTwo> two;
  const auto weight = hn::Set(two, w[r]);
  const auto next_weight = hn::Set(two, w[r + 1]);
  const float* HWY_RESTRICT x = X.data + r * X.cols;
  Offset c = 0;
  for (; c + kTwo <= X.cols; c += kTwo) {
    const auto here = hn::Mul(weight, hn::LoadU(two, x + c));
    const auto next = hn::Mul(next_weight, hn::LoadU(two, x + X.cols + c));
    float* HWY_RESTRICT to = packed + c * X.rows + r * kTileRows;
    hn::StoreU(hn::ConcatLowerLower(two, next, here), two, to);
    hn::StoreU(hn::ConcatUpperUpper(two, next, here), two, to + kTileRows * X.rows);
  }
  return c;
#endif
}

void pack_scaled(ConstMatrix X, const float* w, float* packed) {
  Offset r = 0;
  for (; r + 2 <= X.rows; r += 2) {
    const Offset done = pack_two_rows(X, w, r, packed);
    if (done == X.cols) continue;
    pack_row(X, w, r, done, packed);
    pack_row(X, w, r + 1, done, packed);
  }
  if (r < X.rows) pack_row(X, w, r, 0, packed);
}

// Fetches what comes next little by little, beside the products: many lines at once would be waited
// for.
class Fetch {
 public:
  // At least `wanted` floats of `coming` in that many calls, and never past its end.
  Fetch(std::span<const float> coming, Offset wanted, Offset calls)
      : next_(coming.data()), step_(std::min(wanted / calls + 1, Offset(coming.size()) / calls)) {}

  HWY_ATTR HWY_INLINE void operator()() {
    hwy::Prefetch(next_);
    next_ += step_;
  }

 private:
  const float* next_;
  Offset step_;
};

// Upper: a row of tiles begins at the vector with the diagonal.
Offset first_col(Offset row, Triangle triangle) {
  const auto width = Offset(hn::Lanes(D()));
  return triangle == Triangle::Upper ? row / width * width : 0;
}

Offset count_tiles(const Panel& C, Triangle triangle) {
  Offset count = 0;
  for (Offset i = 0; i < C.rows; i += kTileRows) count += tiles_in(C.cols - first_col(i, triangle));
  return count;
}

void packed_cross(ConstMatrix X, const float* w, const float* Y, Offset y_stride, const Panel& C,
                  Triangle triangle, float* packed, std::span<const float> coming) {
  pack_scaled(X, w, packed);
  Fetch fetch(coming, X.rows * C.rows, X.rows * count_tiles(C, triangle));
  for (Offset i = 0; i < C.rows; i += kTileRows) {
    row_of_tiles(1.0f, {packed + i * X.rows, 1, kTileRows}, Y, y_stride, X.rows,
                 {C.data + i * C.stride, std::min(kTileRows, C.rows - i), C.cols, C.stride},
                 first_col(i, triangle), fetch);
  }
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::kernels {
namespace {
HWY_EXPORT(packed_cross);
}  // namespace

void packed_cross(ConstMatrix X, std::span<const float> w, const float* Y, Offset y_stride,
                  const Panel& C, Triangle triangle, std::span<float> packed,
                  std::span<const float> coming) {
  if (C.rows == 0 || C.cols == 0) return;
  HWY_DYNAMIC_DISPATCH(packed_cross)
  (X, w.data(), Y, y_stride, C, triangle, packed.data(), coming);
}

}  // namespace sqmax::kernels
#endif
