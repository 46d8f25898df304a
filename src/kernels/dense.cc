// Bodies of the dense kernels, compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dense.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <algorithm>
#include <vector>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/dense.h"
#include "kernels/lanes-inl.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kAhead = 8;  // rows of a gather that are fetched before their turn

template <class Left>
void add_tiles(float sign, const Left& A, const float* B, Offset b_stride, Offset depth,
               const Panel& C, Triangle triangle) {
  const auto width = Offset(hn::Lanes(D()));
  for (Offset i = 0; i < C.rows; i += kTileRows) {
    const Offset from = triangle == Triangle::Upper ? i / width * width : 0;
    Left rows = A;
    rows.data += i * A.row_step;
    row_of_tiles(sign, rows, B, b_stride, depth,
                 {C.data + i * C.stride, std::min(kTileRows, C.rows - i), C.cols, C.stride}, from);
  }
}

void multiply_add(float sign, const Strided& A, const float* B, Offset b_stride, Offset depth,
                  const Panel& C, Triangle triangle) {
  if (A.row_step == 1) {
    add_tiles(sign, Columns{A.data, A.col_step}, B, b_stride, depth, C, triangle);
  } else {
    add_tiles(sign, A, B, b_stride, depth, C, triangle);
  }
}

HWY_ATTR void axpy(float a, const float* HWY_RESTRICT x, float* HWY_RESTRICT y, std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V va = hn::Set(d, a);
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    hn::StoreU(hn::MulAdd(va, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
  }
  if (i < n) {
    const Lanes rest(Offset(n - i));
    store(hn::MulAdd(va, load(rest, x + i), load(rest, y + i)), rest, y + i);
  }
}

HWY_ATTR float dot(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y, std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  V sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    sum = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), sum);
  }
  if (i < n) {
    const Lanes rest(Offset(n - i));
    sum = hn::MulAdd(load(rest, x + i), load(rest, y + i), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// kV vectors of the result stay in registers while the rows run past.
template <std::size_t kV>
HWY_ATTR void gather_columns(std::span<const Index> rows, const float* weight, const float* F,
                             Offset stride, float scale, float* HWY_RESTRICT out) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  V sum[kV];
  for (std::size_t v = 0; v < kV; ++v) sum[v] = hn::Zero(d);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (n + kAhead < rows.size()) hwy::Prefetch(F + rows[n + kAhead] * stride);
    const V w = hn::Set(d, weight[rows[n]]);
    const float* f = F + rows[n] * stride;
    for (std::size_t v = 0; v < kV; ++v) {
      sum[v] = hn::MulAdd(w, hn::LoadU(d, f + v * width), sum[v]);
    }
  }
  const V s = hn::Set(d, scale);
  for (std::size_t v = 0; v < kV; ++v) hn::StoreU(hn::Mul(s, sum[v]), d, out + v * width);
}

HWY_ATTR void gather_tail(std::span<const Index> rows, const float* weight, const float* F,
                          Offset stride, float scale, float* HWY_RESTRICT out, std::size_t cols) {
  const D d;
  const Lanes lanes{Offset(cols)};
  V sum = hn::Zero(d);
  for (const Index row : rows) {
    sum = hn::MulAdd(hn::Set(d, weight[row]), load(lanes, F + row * stride), sum);
  }
  store(hn::Mul(hn::Set(d, scale), sum), lanes, out);
}

void gather_sum(std::span<const Index> rows, const float* weight, ConstMatrix F, float scale,
                float* out) {
  const std::size_t width = hn::Lanes(D());
  const std::size_t cols = at(F.cols);
  std::size_t c = 0;
  for (; c + 8 * width <= cols; c += 8 * width) {
    gather_columns<8>(rows, weight, F.data + c, F.cols, scale, out + c);
  }
  for (; c + 4 * width <= cols; c += 4 * width) {
    gather_columns<4>(rows, weight, F.data + c, F.cols, scale, out + c);
  }
  for (; c + width <= cols; c += width) {
    gather_columns<1>(rows, weight, F.data + c, F.cols, scale, out + c);
  }
  if (c < cols) gather_tail(rows, weight, F.data + c, F.cols, scale, out + c, cols - c);
}

const char* isa() { return hwy::TargetName(HWY_TARGET); }

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::kernels {
namespace {
HWY_EXPORT(multiply_add);
HWY_EXPORT(axpy);
HWY_EXPORT(dot);
HWY_EXPORT(gather_sum);
HWY_EXPORT(isa);

constexpr std::size_t kLongestSum = 4096;  // in single precision
}  // namespace

void multiply_add(float sign, const Strided& A, const float* B, Offset b_stride, Offset depth,
                  const Panel& C, Triangle triangle) {
  if (C.rows == 0 || C.cols == 0 || depth == 0) return;  // what is empty may be nowhere
  HWY_DYNAMIC_DISPATCH(multiply_add)(sign, A, B, b_stride, depth, C, triangle);
}

void axpy(float a, std::span<const float> x, std::span<float> y) {
  HWY_DYNAMIC_DISPATCH(axpy)(a, x.data(), y.data(), x.size());
}

float dot(std::span<const float> x, std::span<const float> y) {
  return HWY_DYNAMIC_DISPATCH(dot)(x.data(), y.data(), x.size());
}

// A sum of n terms of one sign, one after the other, may be off by n/2 roundings, 3 % for a
// million; and what is left when another sum is taken from it, by all. Pieces are added in double.
void gather_sum(std::span<const Index> rows, std::span<const float> weight, ConstMatrix F,
                float scale, std::span<float> out) {
  if (rows.size() <= kLongestSum) {
    HWY_DYNAMIC_DISPATCH(gather_sum)(rows, weight.data(), F, scale, out.data());
    return;
  }
  std::vector<double> total(out.size());
  for (std::size_t begin = 0; begin < rows.size(); begin += kLongestSum) {
    const auto piece = rows.subspan(begin, std::min(rows.size() - begin, kLongestSum));
    HWY_DYNAMIC_DISPATCH(gather_sum)(piece, weight.data(), F, scale, out.data());
    for (std::size_t c = 0; c < out.size(); ++c) total[c] += out[c];
  }
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = static_cast<float>(total[c]);
}

const char* isa() { return HWY_DYNAMIC_DISPATCH(isa)(); }

}  // namespace sqmax::kernels
#endif
