// dense_loss: L(P,Q) from its definition, two loops over all pairs in double, no cleverness.
#pragma once

#include <algorithm>

#include "sqmax/core/matrix.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

inline bool contains(std::span<const Index> row, Index y) {
  return std::binary_search(row.begin(), row.end(), y);
}

// θ Σ_r w_r (Σ_c w_c f_r·g_c)²
inline double dense_interaction(const SideTerms& rows, const SideTerms& cols, ConstMatrix F,
                                ConstMatrix G) {
  double total = 0.0;
  for (Offset r = 0; r < F.rows; ++r) {
    double sum = 0.0;
    for (Offset c = 0; c < G.rows; ++c) {
      for (Offset k = 0; k < F.cols; ++k) sum += double{cols.weight[at(c)]} * F(r, k) * G(c, k);
    }
    total += rows.interaction * rows.weight[at(r)] * sum * sum;
  }
  return total;
}

inline double dense_loss(const QuadraticForm& form, CsrView by_user, ConstMatrix P, ConstMatrix Q) {
  double loss = 0.0;
  for (Index x = 0; x < by_user.rows; ++x) {
    for (Index y = 0; y < by_user.cols; ++y) {
      double o = 0.0;
      for (Offset k = 0; k < P.cols; ++k) o += double{P(x, k)} * Q(y, k);
      loss += double{form.users.weight[at(x)]} * form.items.weight[at(y)] * o * o;
      loss -= 2.0 * form.target * form.users.lean[at(x)] * form.items.lean[at(y)] * o;
      if (!contains(by_user.row(x), y)) continue;
      loss += double{form.users.curvature[at(x)]} * form.items.curvature[at(y)] * o * o;
      loss -= 2.0 * form.users.pull[at(x)] * form.items.pull[at(y)] * o;
    }
  }
  for (Index x = 0; x < by_user.rows; ++x) {
    for (const float p : P.row(x)) loss += double{form.users.ridge[at(x)]} * p * p;
  }
  for (Index y = 0; y < by_user.cols; ++y) {
    for (const float q : Q.row(y)) loss += double{form.items.ridge[at(y)]} * q * q;
  }
  return loss - dense_interaction(form.users, form.items, P, Q) -
         dense_interaction(form.items, form.users, Q, P);
}

/// The slope of `loss()` along `value`, by central differences. Exact for a square but for
/// rounding.
template <class Loss>
double slope_along(float& value, const Loss& loss) {
  constexpr float kStep = 1e-2f;
  const float kept = value;
  value = kept + kStep;
  const double up = loss();
  value = kept - kStep;
  const double down = loss();
  value = kept;
  return (up - down) / (2.0 * kStep);
}

}  // namespace sqmax
