// Bodies of the kernels over listed rows, compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <algorithm>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/rows.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kTogether = 4;  // rows whose products with x are summed together
constexpr std::size_t kAhead = 8;     // rows that are fetched before their turn
constexpr Offset kLine = 16;          // floats of a cache line

HWY_ATTR void fetch(std::span<const Index> rows, ConstMatrix F) {
  for (const Index row : rows) {
    for (Offset c = 0; c < F.cols; c += kLine) hwy::Prefetch(F.data + row * F.cols + c);
  }
}

// out_n = w_j f_j for the n-th index j
HWY_ATTR void gather_scaled(std::span<const Index> rows, const float* w, ConstMatrix F,
                            MutableMatrix out) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  for (Offset n = 0; n < out.rows; ++n) {
    const Index row = rows[at(n)];
    const V scale = hn::Set(d, w[row]);
    const float* f = F.data + row * F.cols;
    float* HWY_RESTRICT to = out.data + n * out.cols;
    Offset c = 0;
    for (; c + width <= F.cols; c += width) {
      hn::StoreU(hn::Mul(scale, hn::LoadU(d, f + c)), d, to + c);
    }
    if (c < F.cols) {
      const Lanes rest(F.cols - c);
      store(hn::Mul(scale, load(rest, f + c)), rest, to + c);
    }
  }
}

// The rows of the next round are fetched little by little: all at once, they would be waited for.
void add_gathered(float a, ConstMatrix X, std::span<const Index> coming, ConstMatrix F,
                  const Panel& C) {
  const auto width = Offset(hn::Lanes(D()));
  const Offset panels = (C.rows + kTileRows - 1) / kTileRows;
  const std::size_t share = (coming.size() + at(panels) - 1) / at(std::max<Offset>(panels, 1));
  for (Offset i = 0; i < C.rows; i += kTileRows) {
    const std::size_t count = std::min(share, coming.size());
    fetch(coming.first(count), F);
    coming = coming.subspan(count);
    row_of_tiles(a, Columns{X.data + i, X.cols}, X.data, X.cols, X.rows,
                 {C.data + i * C.stride, std::min(kTileRows, C.rows - i), C.cols, C.stride},
                 i / width * width);
  }
}

void add_gram(const ListedRows& list, float a, MutableMatrix scratch, const Panel& C) {
  std::span<const Index> rows = list.rows;
  while (!rows.empty()) {
    const std::size_t count = std::min(rows.size(), at(scratch.rows));
    const MutableMatrix X = scratch.middle_rows(0, Offset(count));
    gather_scaled(rows, list.w.data(), list.F, X);
    rows = rows.subspan(count);
    const auto coming = rows.empty() ? list.next : rows;
    add_gathered(a, X, coming.first(std::min(coming.size(), at(scratch.rows))), list.F, C);
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
HWY_EXPORT(add_gram);
HWY_EXPORT(add_outer_products);
}  // namespace

void add_gram(const ListedRows& list, float a, MutableMatrix scratch, const Panel& C) {
  HWY_DYNAMIC_DISPATCH(add_gram)(list, a, scratch, C);
}

void add_outer_products(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                        float a, std::span<const float> x, std::span<float> y) {
  HWY_DYNAMIC_DISPATCH(add_outer_products)
  (rows, w.data(), F.data, at(F.cols), a, x.data(), y.data());
}

}  // namespace sqmax::kernels
#endif
