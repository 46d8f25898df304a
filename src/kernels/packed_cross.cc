// Body of packed_cross, compiled once per instruction set by Highway.
//
// A tile reads four columns of X at a time. In X these are four floats of every cache line; packed
// next to each other, with w multiplied in, they take a quarter of the room, and Y stays near.
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

constexpr std::size_t kLine = 16;  // floats of a cache line

// packed[c/4][r][c%4] = w_r X_rc for the columns from `from` on; what is missing of four columns
// stays undefined.
HWY_ATTR void pack_row(ConstMatrix X, const float* w, Offset r, Offset from, float* packed) {
  const hn::CappedTag<float, kTileRows> four;
  const auto width = Offset(hn::Lanes(four));
  const auto weight = hn::Set(four, w[r]);
  const float* HWY_RESTRICT x = X.data + r * X.cols;
  Offset c = from;
  for (; c + kTileRows <= X.cols; c += kTileRows) {
    float* HWY_RESTRICT to = packed + c * X.rows + r * kTileRows;
    for (Offset i = 0; i < kTileRows; i += width) {
      hn::StoreU(hn::Mul(weight, hn::LoadU(four, x + c + i)), four, to + i);
    }
  }
  for (Offset i = 0; c + i < X.cols; ++i) packed[c * X.rows + r * kTileRows + i] = w[r] * x[c + i];
}

// Rows r and r + 1 lie next to each other in a group of four columns: two groups of two rows are
// two vectors of eight, halves exchanged. Returns how many columns are packed.
HWY_ATTR Offset pack_two_rows(ConstMatrix X, const float* w, Offset r, float* packed) {
#if HWY_MAX_BYTES < 32
  (void)X, (void)w, (void)r, (void)packed;
  return 0;
#else
  constexpr Offset kEight = 2 * kTileRows;
  const hn::FixedTag<float, kEight> eight;
  const auto weight = hn::Set(eight, w[r]);
  const auto next_weight = hn::Set(eight, w[r + 1]);
  const float* HWY_RESTRICT x = X.data + r * X.cols;
  Offset c = 0;
  for (; c + kEight <= X.cols; c += kEight) {
    const auto here = hn::Mul(weight, hn::LoadU(eight, x + c));
    const auto next = hn::Mul(next_weight, hn::LoadU(eight, x + X.cols + c));
    float* HWY_RESTRICT to = packed + c * X.rows + r * kTileRows;
    hn::StoreU(hn::ConcatLowerLower(eight, next, here), eight, to);
    hn::StoreU(hn::ConcatUpperUpper(eight, next, here), eight, to + kTileRows * X.rows);
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

HWY_ATTR void fetch(std::span<const float> values) {
  for (std::size_t i = 0; i < values.size(); i += kLine) hwy::Prefetch(values.data() + i);
}

// What comes next is fetched little by little: all at once, it would be waited for.
void packed_cross(ConstMatrix X, const float* w, const float* Y, Offset y_stride, const Panel& C,
                  Triangle triangle, float* packed, std::span<const float> coming) {
  pack_scaled(X, w, packed);
  const auto width = Offset(hn::Lanes(D()));
  const std::size_t groups = at((C.rows + kTileRows - 1) / kTileRows);
  const std::size_t share = (coming.size() / groups + kLine) / kLine * kLine;
  for (Offset i = 0; i < C.rows; i += kTileRows) {
    const std::size_t count = std::min(share, coming.size());
    fetch(coming.first(count));
    coming = coming.subspan(count);
    row_of_tiles(1.0f, {packed + i * X.rows, 1, kTileRows}, Y, y_stride, X.rows,
                 {C.data + i * C.stride, std::min(kTileRows, C.rows - i), C.cols, C.stride},
                 triangle == Triangle::Upper ? i / width * width : 0);
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
  if (C.rows == 0) return;
  HWY_DYNAMIC_DISPATCH(packed_cross)
  (X, w.data(), Y, y_stride, C, triangle, packed.data(), coming);
}

}  // namespace sqmax::kernels
#endif
