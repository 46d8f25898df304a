// Bodies of the sparse products, compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sparse.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <algorithm>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/sparse.h"
#include "kernels/sparse_rows.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

using Half = hwy::float16_t;

// Cache lines that are fetched before their turn. What is outside of the second cache takes long:
// with 12 instead, a fit of 100 million interactions takes a tenth longer.
constexpr std::size_t kLinesAhead = 32;
constexpr std::size_t kLine = 64;
constexpr std::size_t kFewVectors = 4;  // more are enough to hide how long an addition takes

HWY_INLINE V load(const float* p) { return hn::Load(D(), p); }
HWY_INLINE V load(const Half* p) { return hn::PromoteTo(D(), hn::Load(hn::Rebind<Half, D>(), p)); }

HWY_INLINE void store(V value, float* p) { hn::Store(value, D(), p); }
HWY_INLINE void store(V value, Half* p) {
  const hn::Rebind<Half, D> half;
  hn::Store(hn::DemoteTo(half, value), half, p);
}

// y = scale · sum + lean · centre, or added to y. With few non-zeros to a row, as in a part of the
// data, this is much of the work.
template <std::size_t kV>
HWY_ATTR HWY_INLINE void finish_row(const GatheredRows& rows, Offset r, const V* sum) {
  const D d;
  const V scale = hn::Set(d, rows.factor(r));
  const V lean = hn::Set(d, rows.lean(r));
  float* y = rows.Y.row(r).data() + rows.first_col;
  for (std::size_t v = 0; v < kV; ++v) {
    const std::size_t c = v * hn::Lanes(d);
    const V value = hn::MulAdd(lean, hn::Load(d, rows.centre + c), hn::Mul(scale, sum[v]));
    const Lanes lanes(rows.cols - Offset(c));
    if (lanes.count == hn::Lanes(d)) {
      hn::StoreU(rows.rule->add ? hn::Add(hn::LoadU(d, y + c), value) : value, d, y + c);
    } else if (lanes.count > 0) {
      store(rows.rule->add ? hn::Add(load(lanes, y + c), value) : value, lanes, y + c);
    }
  }
}

// The same row z as panels of halves or floats, scaled once more, and lean_sum += lean · z.
template <std::size_t kV, class T>
HWY_ATTR HWY_INLINE void send_onward(const GatheredRows& rows, Offset r, const V* sum) {
  const D d;
  const V scale = hn::Set(d, rows.factor(r));
  const V lean = hn::Set(d, rows.lean(r));
  const V factor = hn::Set(d, rows.onward_factor(r));
  const OnwardRows& to = rows.onward;
  std::byte* row = to.panel + r * to.row_bytes;
  Offset panels = to.panels;
  Offset col = 0;
  for (std::size_t v = 0; v < kV; ++v) {
    const std::size_t c = v * hn::Lanes(d);
    const V z = hn::MulAdd(lean, hn::Load(d, rows.centre + c), hn::Mul(scale, sum[v]));
    float* total = to.lean_sum + c;
    hn::Store(hn::MulAdd(lean, z, hn::Load(d, total)), d, total);
    if (panels > 0) store(hn::Mul(factor, z), reinterpret_cast<T*>(row) + col);
    col += Offset(hn::Lanes(d));
    if (col < to.panel_cols) continue;
    col = 0;
    row += to.panel_bytes;
    --panels;
  }
}

// sum += F_j for the row that j points to, and the line that comes `ahead` indices later is
// fetched: it may belong to the rows that follow.
template <std::size_t kV, class T>
HWY_ATTR HWY_INLINE void add_row(const GatheredRows& rows, const Index* j, V* sum) {
  const std::size_t width = hn::Lanes(D());
  const std::size_t cols = kV * width;
  const auto ahead = Offset(std::max(kLinesAhead * kLine / (cols * sizeof(T)), std::size_t{1}));
  const T* F = reinterpret_cast<const T*>(rows.panel);
  const T* next = F + std::size_t(*std::min(j + ahead, rows.last)) * cols;
  for (std::size_t c = 0; c < cols; c += kLine / sizeof(T)) hwy::Prefetch(next + c);
  const T* f = F + std::size_t(*j) * cols;
  for (std::size_t v = 0; v < kV; ++v) sum[v] = hn::Add(sum[v], load(f + v * width));
}

// Σ_j F_j over the non-zeros from j to end, in kV vectors. If these are few, every other non-zero
// is summed apart: an addition takes longer than a line that is near, and would be waited for.
template <std::size_t kV, class T>
HWY_ATTR HWY_INLINE void sum_rows(const GatheredRows& rows, const Index* j, const Index* end,
                                  V* sum) {
  for (std::size_t v = 0; v < kV; ++v) sum[v] = hn::Zero(D());
  if constexpr (kV <= kFewVectors) {
    V other[kV];
    for (std::size_t v = 0; v < kV; ++v) other[v] = hn::Zero(D());
    for (; end - j >= 2; j += 2) {
      add_row<kV, T>(rows, j, sum);
      add_row<kV, T>(rows, j + 1, other);
    }
    for (std::size_t v = 0; v < kV; ++v) sum[v] = hn::Add(sum[v], other[v]);
  }
  for (; j < end; ++j) add_row<kV, T>(rows, j, sum);
}

template <std::size_t kV, class T>
HWY_ATTR void gather_rows(const GatheredRows& rows) {
  for (Offset r = rows.begin; r < rows.end; ++r) {
    const Index* j = rows.indices + rows.offsets[r];
    const Index* end = rows.indices + rows.offsets[r + 1];
    if (j == end && rows.adds_sums_alone()) continue;
    V sum[kV];
    sum_rows<kV, T>(rows, j, end, sum);
    if (rows.onward.panels > 0) {
      send_onward<kV, T>(rows, r, sum);
    } else {
      finish_row<kV>(rows, r, sum);
    }
  }
}

template <class T>
void gather_panel(const GatheredRows& rows, Offset panel_cols) {
  const Offset vectors = panel_cols / Offset(hn::Lanes(D()));
  if (vectors == 1) return gather_rows<1, T>(rows);
  if (vectors == 2) return gather_rows<2, T>(rows);
  if (vectors == 4) return gather_rows<4, T>(rows);
  if (vectors == 8) return gather_rows<8, T>(rows);
  if (vectors == 16) return gather_rows<16, T>(rows);
  if (vectors == 32) return gather_rows<32, T>(rows);
  return gather_rows<64, T>(rows);
}

void gather(const GatheredRows& rows, Offset panel_cols, Storage storage) {
  if (storage == Storage::Half) return gather_panel<Half>(rows, panel_cols);
  return gather_panel<float>(rows, panel_cols);
}

// SSE4 and SCALAR convert by many instructions, and cut off instead of rounding.
bool has_halves() { return HWY_TARGET <= HWY_AVX2; }

// out = in · factor as halves, `count` a multiple of the vectors.
HWY_ATTR void to_halves(const float* in, float factor, std::size_t count, std::byte* out) {
  const D d;
  const V f = hn::Set(d, factor);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    store(hn::Mul(f, hn::LoadU(d, in + i)), reinterpret_cast<Half*>(out) + i);
  }
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::kernels {
namespace {
HWY_EXPORT(gather);
HWY_EXPORT(has_halves);
HWY_EXPORT(to_halves);
}  // namespace

void gather(const GatheredRows& rows, Offset panel_cols, Storage storage) {
  HWY_DYNAMIC_DISPATCH(gather)(rows, panel_cols, storage);
}

bool has_halves() { return HWY_DYNAMIC_DISPATCH(has_halves)(); }

void to_halves(const float* in, float factor, std::size_t count, std::byte* out) {
  HWY_DYNAMIC_DISPATCH(to_halves)(in, factor, count, out);
}

}  // namespace sqmax::kernels
#endif
