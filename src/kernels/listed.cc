// Bodies of the kernels over listed rows, compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/listed.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <algorithm>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/listed.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kAhead = 4;  // rows that are fetched before their turn
constexpr std::size_t kFloatsOfLine = 16;

// Every cache line of a row that will be asked for soon.
HWY_ATTR HWY_INLINE void fetch_row(const float* row, Offset cols) {
  for (Offset c = 0; c < cols; c += Offset(kFloatsOfLine)) hwy::Prefetch(row + c);
}

struct Product {
  HWY_ATTR static V add(V sum, V x, V f) { return hn::MulAdd(x, f, sum); }
};

struct SquaredDifference {
  HWY_ATTR static V add(V sum, V x, V f) {
    const V difference = hn::Sub(x, f);
    return hn::MulAdd(difference, difference, sum);
  }
};

template <class Term>
HWY_ATTR void listed_terms(std::span<const Index> rows, ConstMatrix F, const float* HWY_RESTRICT x,
                           float* HWY_RESTRICT out) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  const Offset whole = F.cols / width * width;
  const Lanes rest(F.cols - whole);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    if (j + kAhead < rows.size()) fetch_row(F.data + rows[j + kAhead] * F.cols, F.cols);
    const float* f = F.data + rows[j] * F.cols;
    V sum = hn::Zero(d);
    for (Offset c = 0; c < whole; c += width) {
      sum = Term::add(sum, hn::LoadU(d, x + c), hn::LoadU(d, f + c));
    }
    if (whole < F.cols) sum = Term::add(sum, load(rest, x + whole), load(rest, f + whole));
    out[j] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

void listed_dots(std::span<const Index> rows, ConstMatrix F, const float* x, float* out) {
  listed_terms<Product>(rows, F, x, out);
}

void listed_distances(std::span<const Index> rows, ConstMatrix F, const float* x, float* out) {
  listed_terms<SquaredDifference>(rows, F, x, out);
}

// kV vectors of the result stay in registers while the rows run past.
template <Offset kV>
HWY_ATTR void sum_columns(std::span<const Index> rows, const float* w, const float* F,
                          Offset stride, float* HWY_RESTRICT out) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  V sum[kV];
  for (Offset v = 0; v < kV; ++v) sum[v] = hn::LoadU(d, out + v * width);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const V weight = hn::Set(d, w[j]);
    const float* f = F + rows[j] * stride;
    for (Offset v = 0; v < kV; ++v) {
      sum[v] = hn::MulAdd(weight, hn::LoadU(d, f + v * width), sum[v]);
    }
  }
  for (Offset v = 0; v < kV; ++v) hn::StoreU(sum[v], d, out + v * width);
}

HWY_ATTR void sum_tail(std::span<const Index> rows, const float* w, const float* F, Offset stride,
                       float* HWY_RESTRICT out, Offset cols) {
  const D d;
  const Lanes lanes(cols);
  V sum = load(lanes, out);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    sum = hn::MulAdd(hn::Set(d, w[j]), load(lanes, F + rows[j] * stride), sum);
  }
  store(sum, lanes, out);
}

void listed_sum(std::span<const Index> rows, const float* w, ConstMatrix F, float* out) {
  const auto width = Offset(hn::Lanes(D()));
  Offset c = 0;
  for (; c + 4 * width <= F.cols; c += 4 * width) {
    sum_columns<4>(rows, w, F.data + c, F.cols, out + c);
  }
  for (; c + width <= F.cols; c += width) sum_columns<1>(rows, w, F.data + c, F.cols, out + c);
  if (c < F.cols) sum_tail(rows, w, F.data + c, F.cols, out + c, F.cols - c);
}

// The same, of rows that may be anywhere.
template <Offset kV>
HWY_ATTR HWY_INLINE void weigh_columns(std::span<const WeightedRow> rows, Offset c,
                                       float* HWY_RESTRICT out) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  V sum[kV];
  for (Offset v = 0; v < kV; ++v) sum[v] = hn::Zero(d);
  for (const WeightedRow& row : rows) {
    const V weight = hn::Set(d, row.weight);
    const float* f = row.row + c;
    for (Offset v = 0; v < kV; ++v) {
      sum[v] = hn::MulAdd(weight, hn::LoadU(d, f + v * width), sum[v]);
    }
  }
  for (Offset v = 0; v < kV; ++v) hn::StoreU(sum[v], d, out + c + v * width);
}

HWY_ATTR void weighted_sum(std::span<const WeightedRow> rows, float* HWY_RESTRICT out,
                           Offset cols) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  Offset c = 0;
  for (; c + 8 * width <= cols; c += 8 * width) weigh_columns<8>(rows, c, out);
  for (; c + 4 * width <= cols; c += 4 * width) weigh_columns<4>(rows, c, out);
  for (; c + width <= cols; c += width) weigh_columns<1>(rows, c, out);
  if (c == cols) return;
  const Lanes rest(cols - c);
  V sum = hn::Zero(d);
  for (const WeightedRow& row : rows) {
    sum = hn::MulAdd(hn::Set(d, row.weight), load(rest, row.row + c), sum);
  }
  store(sum, rest, out + c);
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::kernels {
namespace {
constexpr std::size_t kLine = 64;
constexpr std::size_t kMostFetched = 16 * kLine;
}  // namespace

void fetch(const void* begin, std::size_t bytes) {
  const auto* first = static_cast<const char*>(begin);
  for (std::size_t offset = 0; offset < std::min(bytes, kMostFetched); offset += kLine) {
    hwy::Prefetch(first + offset);
  }
}

namespace {
HWY_EXPORT(listed_dots);
HWY_EXPORT(listed_distances);
HWY_EXPORT(listed_sum);
HWY_EXPORT(weighted_sum);
}  // namespace

void listed_dots(std::span<const Index> rows, ConstMatrix F, std::span<const float> x,
                 std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(listed_dots)(rows, F, x.data(), out.data());
}

void listed_distances(std::span<const Index> rows, ConstMatrix F, std::span<const float> x,
                      std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(listed_distances)(rows, F, x.data(), out.data());
}

void listed_sum(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(listed_sum)(rows, w.data(), F, out.data());
}

void weighted_sum(std::span<const WeightedRow> rows, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(weighted_sum)(rows, out.data(), Offset(out.size()));
}

}  // namespace sqmax::kernels
#endif
