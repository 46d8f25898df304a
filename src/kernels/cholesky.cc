// Bodies of the Cholesky solver, compiled once per instruction set by Highway.
//
// Panels of four rows of U from the top. With r_j = U_jj u_j and m_kj = U_kj / U_kk, rows of a
// panel that begins at s are
//   r_j = a_j − Σ_{k<s} U_kj u_k − Σ_{s≤k<j} m_kj r_k,   U_jj² = r_jj,   u_j = r_j / U_jj
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cholesky.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <algorithm>
#include <cmath>

#include <hwy/highway.h>

#include "kernels/cholesky.h"
#include "kernels/dense.h"
#include "kernels/lanes-inl.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

constexpr Offset kPanelRows = 4;

// What the columns of a panel need to know of its leading square.
struct Corner {
  float share[kPanelRows][kPanelRows];  // m_kj
  float inverse[kPanelRows];            // 1 / U_jj
};

// The square's own elimination does without roots: a quotient after the other is what it waits for.
template <Offset kR>
Solved eliminate(const float* square, Offset stride, Corner& corner) {
  float r[kR][kR];
  for (Offset i = 0; i < kR; ++i) {
    for (Offset j = i; j < kR; ++j) r[i][j] = square[i * stride + j];
  }
  for (Offset k = 0; k < kR; ++k) {
    const float pivot = r[k][k];
    if (!(pivot > 0.0f) || !std::isfinite(pivot)) return Solved::NotPositiveDefinite;
    corner.inverse[k] = 1.0f / std::sqrt(pivot);
    for (Offset i = k + 1; i < kR; ++i) {
      const float share = corner.share[k][i] = r[k][i] / pivot;
      for (Offset j = i; j < kR; ++j) r[i][j] -= share * r[k][j];
    }
  }
  return Solved::Yes;
}

template <Offset kR>
HWY_ATTR HWY_INLINE void eliminate_vectors(const Corner& corner, V (&r)[kR]) {
  const D d;
  for (Offset k = 0; k < kR; ++k) {
    for (Offset j = k + 1; j < kR; ++j) {
      r[j] = hn::NegMulAdd(hn::Set(d, corner.share[k][j]), r[k], r[j]);
    }
  }
  for (Offset j = 0; j < kR; ++j) r[j] = hn::Mul(hn::Set(d, corner.inverse[j]), r[j]);
}

// All columns of a panel from `from` on, its square among them.
template <Offset kR>
HWY_ATTR void eliminate_columns(const Corner& corner, float* HWY_RESTRICT rows, Offset stride,
                                Offset from, Offset cols) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  V r[kR];
  Offset c = from;
  for (; c + width <= cols; c += width) {
    for (Offset j = 0; j < kR; ++j) r[j] = hn::LoadU(d, rows + j * stride + c);
    eliminate_vectors<kR>(corner, r);
    for (Offset j = 0; j < kR; ++j) hn::StoreU(r[j], d, rows + j * stride + c);
  }
  if (c == cols) return;
  const Lanes rest(cols - c);
  for (Offset j = 0; j < kR; ++j) r[j] = load(rest, rows + j * stride + c);
  eliminate_vectors<kR>(corner, r);
  for (Offset j = 0; j < kR; ++j) store(r[j], rest, rows + j * stride + c);
}

// Uᵀ y = b: the entries of one panel, then what they take from those behind it.
template <Offset kR>
HWY_ATTR void forward(const Corner& corner, const float* U, Offset stride, Offset n, float* b) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  float left[kR];
  V y[kR];
  for (Offset k = 0; k < kR; ++k) left[k] = b[k];
  for (Offset k = 0; k < kR; ++k) {
    for (Offset j = k + 1; j < kR; ++j) left[j] -= corner.share[k][j] * left[k];
  }
  for (Offset k = 0; k < kR; ++k) {
    b[k] = left[k] * corner.inverse[k];
    y[k] = hn::Set(d, b[k]);
  }
  Offset c = kR;
  for (; c + width <= n; c += width) {
    V sum = hn::LoadU(d, b + c);
    for (Offset k = 0; k < kR; ++k)
      sum = hn::NegMulAdd(y[k], hn::LoadU(d, U + k * stride + c), sum);
    hn::StoreU(sum, d, b + c);
  }
  if (c == n) return;
  const Lanes rest(n - c);
  V sum = load(rest, b + c);
  for (Offset k = 0; k < kR; ++k) sum = hn::NegMulAdd(y[k], load(rest, U + k * stride + c), sum);
  store(sum, rest, b + c);
}

// U x = y: the entries of one panel, those behind it being known.
template <Offset kR>
HWY_ATTR void backward(const float* U, Offset stride, Offset n, float* b) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  V sum[kR];
  for (Offset k = 0; k < kR; ++k) sum[k] = hn::Zero(d);
  Offset c = kR;
  for (; c + width <= n; c += width) {
    const V x = hn::LoadU(d, b + c);
    for (Offset k = 0; k < kR; ++k)
      sum[k] = hn::MulAdd(x, hn::LoadU(d, U + k * stride + c), sum[k]);
  }
  if (c < n) {
    const Lanes rest(n - c);
    const V x = load(rest, b + c);
    for (Offset k = 0; k < kR; ++k) sum[k] = hn::MulAdd(x, load(rest, U + k * stride + c), sum[k]);
  }
  float inverse[kR];
  float left[kR];
  for (Offset k = 0; k < kR; ++k) inverse[k] = 1.0f / U[k * stride + k];
  for (Offset k = 0; k < kR; ++k)
    left[k] = inverse[k] * (b[k] - hn::GetLane(hn::SumOfLanes(d, sum[k])));
  for (Offset k = kR - 1; k >= 0; --k) {
    for (Offset j = 0; j < k; ++j) left[j] -= (inverse[j] * U[j * stride + k]) * left[k];
  }
  for (Offset k = 0; k < kR; ++k) b[k] = left[k];
}

// A panel of rows from s on: all of U above it is known.
template <Offset kR>
HWY_ATTR Solved forward_panel(MutableMatrix A, Offset s, float* b) {
  const auto width = Offset(hn::Lanes(D()));
  const Offset from = s / width * width;
  float* rows = A.data + s * A.cols;
  row_of_tiles(-1.0f, Columns{A.data + s, A.cols}, A.data, A.cols, s, {rows, kR, A.cols, A.cols},
               from);
  Corner corner{};
  if (eliminate<kR>(rows + s, A.cols, corner) != Solved::Yes) return Solved::NotPositiveDefinite;
  eliminate_columns<kR>(corner, rows, A.cols, from, A.cols);
  forward<kR>(corner, rows + s, A.cols, A.rows - s, b + s);
  return Solved::Yes;
}

using Forward = Solved (*)(MutableMatrix, Offset, float*);
using Backward = void (*)(const float*, Offset, Offset, float*);
constexpr Forward kForward[kPanelRows] = {&forward_panel<1>, &forward_panel<2>, &forward_panel<3>,
                                          &forward_panel<4>};
constexpr Backward kBackward[kPanelRows] = {&backward<1>, &backward<2>, &backward<3>, &backward<4>};

Solved cholesky_solve(MutableMatrix A, float* b) {
  const Offset n = A.rows;
  for (Offset s = 0; s < n; s += kPanelRows) {
    const Offset rows = std::min(kPanelRows, n - s);
    if (kForward[rows - 1](A, s, b) != Solved::Yes) return Solved::NotPositiveDefinite;
  }
  for (Offset s = (n - 1) / kPanelRows * kPanelRows; s >= 0; s -= kPanelRows) {
    kBackward[std::min(kPanelRows, n - s) - 1](&A(s, s), A.cols, n - s, b + s);
  }
  return Solved::Yes;
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::kernels {
namespace {
HWY_EXPORT(cholesky_solve);
}  // namespace

Solved cholesky_solve(MutableMatrix A, std::span<float> b) {
  if (A.rows == 0) return Solved::Yes;
  return HWY_DYNAMIC_DISPATCH(cholesky_solve)(A, b.data());
}

//   U_jj² = A_jj − Σ_{k<j} U_kj²,   U_ji = ( A_ji − Σ_{k<j} U_kj U_ki ) / U_jj
Solved reference::cholesky_solve(MutableMatrix A, std::span<float> b) {
  const Offset n = A.rows;
  for (Offset j = 0; j < n; ++j) {
    for (Offset k = 0; k < j; ++k) {
      for (Offset i = j; i < n; ++i) A(j, i) -= A(k, j) * A(k, i);
      b[at(j)] -= A(k, j) * b[at(k)];
    }
    if (!(A(j, j) > 0.0f) || !std::isfinite(A(j, j))) return Solved::NotPositiveDefinite;
    const float root = std::sqrt(A(j, j));
    for (Offset i = j; i < n; ++i) A(j, i) /= root;
    b[at(j)] /= root;
  }
  for (Offset j = n - 1; j >= 0; --j) {
    for (Offset i = j + 1; i < n; ++i) b[at(j)] -= A(j, i) * b[at(i)];
    b[at(j)] /= A(j, j);
  }
  return Solved::Yes;
}

}  // namespace sqmax::kernels
#endif
