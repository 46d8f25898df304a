// Body of scaled_cross, compiled once per instruction set by Highway.
//
// Weights are multiplied into a copy of Y, whose rows fill whole cache lines, so that no vector
// ends inside of a row; a row of tiles reads its columns of X as they are.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scaled_cross.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <algorithm>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/scaled_cross.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

// scaled_r = w_r Y_r
HWY_ATTR void scale_rows(ConstMatrix Y, const float* w, MutableMatrix scaled) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  const Offset whole = Y.cols / width * width;
  const Lanes rest(Y.cols - whole);
  for (Offset r = 0; r < Y.rows; ++r) {
    const V weight = hn::Set(d, w[r]);
    const float* HWY_RESTRICT y = Y.data + r * Y.cols;
    float* HWY_RESTRICT to = scaled.data + r * scaled.cols;
    for (Offset c = 0; c < whole; c += width) {
      hn::StoreU(hn::Mul(weight, hn::LoadU(d, y + c)), d, to + c);
    }
    if (whole < Y.cols) store(hn::Mul(weight, load(rest, y + whole)), rest, to + whole);
  }
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
  for (Offset i = 0; i < C.rows; i += kTileRows) {
    count += tiles_in(std::max<Offset>(0, C.cols - first_col(i, triangle)));
  }
  return count;
}

void scaled_cross(ConstMatrix X, const float* w, ConstMatrix Y, const Panel& C, Triangle triangle,
                  MutableMatrix scaled, std::span<const float> coming) {
  scale_rows(Y, w, scaled);
  Fetch fetch(coming, X.rows * C.rows, X.rows * count_tiles(C, triangle));
  for (Offset i = 0; i < C.rows; i += kTileRows) {
    row_of_tiles(1.0f, Columns{X.data + i, X.cols}, scaled.data, scaled.cols, X.rows,
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
HWY_EXPORT(scaled_cross);
}  // namespace

void scaled_cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y, const Panel& C,
                  Triangle triangle, MutableMatrix scaled, std::span<const float> coming) {
  if (X.rows == 0 || C.rows == 0 || C.cols == 0) return;
  HWY_DYNAMIC_DISPATCH(scaled_cross)(X, w.data(), Y, C, triangle, scaled, coming);
}

}  // namespace sqmax::kernels
#endif
