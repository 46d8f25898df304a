// Bodies of the kernels over listed rows, compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kTogether = 4;  // rows whose products with x are summed together
constexpr std::size_t kAhead = 8;     // rows that are fetched before their turn
constexpr std::size_t kLine = 16;     // floats of a cache line

HWY_ATTR HWY_INLINE void fetch(const float* row, std::size_t cols) {
  for (std::size_t c = 0; c < cols; c += kLine) hwy::Prefetch(row + c);
}

HWY_ATTR void gather_scaled(std::span<const Index> rows, const float* w, const float* F,
                            std::size_t cols, MutableMatrix to) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t count = at(to.rows);
  float* HWY_RESTRICT out = to.data;
  for (std::size_t n = 0; n < count; ++n) {
    if (n + kAhead < rows.size()) fetch(F + at(rows[n + kAhead]) * cols, cols);
    const V scale = hn::Set(d, w[rows[n]]);
    const float* f = F + at(rows[n]) * cols;
    std::size_t c = 0;
    for (; c + width <= cols; c += width) {
      hn::StoreU(hn::Mul(scale, hn::LoadU(d, f + c)), d, out + c);
    }
    if (c < cols) {
      const Lanes rest(Offset(cols - c));
      store(hn::Mul(scale, load(rest, f + c)), rest, out + c);
    }
    out += to.cols;
  }
}

// kR rows: their products with x, then what they add to y.
template <std::size_t kR>
HWY_ATTR HWY_INLINE void add_rows(const Index* rows, const float* w, const float* F,
                                  std::size_t cols, float a, const float* x,
                                  float* HWY_RESTRICT y) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const float* f[kR];
  V sum[kR];
  for (std::size_t r = 0; r < kR; ++r) f[r] = F + at(rows[r]) * cols;
  for (std::size_t r = 0; r < kR; ++r) sum[r] = hn::Zero(d);
  std::size_t c = 0;
  for (; c + width <= cols; c += width) {
    const V here = hn::LoadU(d, x + c);
    for (std::size_t r = 0; r < kR; ++r) sum[r] = hn::MulAdd(here, hn::LoadU(d, f[r] + c), sum[r]);
  }
  const Lanes rest(Offset(cols - c));
  if (c < cols) {
    const V here = load(rest, x + c);
    for (std::size_t r = 0; r < kR; ++r) sum[r] = hn::MulAdd(here, load(rest, f[r] + c), sum[r]);
  }
  for (std::size_t r = 0; r < kR; ++r) {
    sum[r] = hn::Mul(hn::SumOfLanes(d, sum[r]), hn::Set(d, a * w[rows[r]]));
  }
  for (c = 0; c + width <= cols; c += width) {
    V out = hn::LoadU(d, y + c);
    for (std::size_t r = 0; r < kR; ++r) out = hn::MulAdd(sum[r], hn::LoadU(d, f[r] + c), out);
    hn::StoreU(out, d, y + c);
  }
  if (c < cols) {
    V out = load(rest, y + c);
    for (std::size_t r = 0; r < kR; ++r) out = hn::MulAdd(sum[r], load(rest, f[r] + c), out);
    store(out, rest, y + c);
  }
}

HWY_ATTR void add_outer_products(std::span<const Index> rows, const float* w, const float* F,
                                 std::size_t cols, float a, const float* x, float* HWY_RESTRICT y) {
  std::size_t n = 0;
  for (; n + kTogether <= rows.size(); n += kTogether) {
    for (std::size_t r = n + kAhead; r < std::min(n + kAhead + kTogether, rows.size()); ++r) {
      hwy::Prefetch(F + at(rows[r]) * cols);
    }
    add_rows<kTogether>(rows.data() + n, w, F, cols, a, x, y);
  }
  for (; n < rows.size(); ++n) add_rows<1>(rows.data() + n, w, F, cols, a, x, y);
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::kernels {
namespace {
HWY_EXPORT(gather_scaled);
HWY_EXPORT(add_outer_products);
}  // namespace

void gather_scaled(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                   MutableMatrix out) {
  HWY_DYNAMIC_DISPATCH(gather_scaled)(rows, w.data(), F.data, at(F.cols), out);
}

void add_outer_products(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                        float a, std::span<const float> x, std::span<float> y) {
  HWY_DYNAMIC_DISPATCH(add_outer_products)
  (rows, w.data(), F.data, at(F.cols), a, x.data(), y.data());
}

}  // namespace sqmax::kernels
#endif
