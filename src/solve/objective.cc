// The objective without ever forming P Qᵀ.                                  docs/notation.md
//
//   Σ_xy u_x v_y o_xy²        = ⟨Pᵀdiag(u)P, Qᵀdiag(v)Q⟩
//   Σ_xy a_x b_y o_xy         = (Pᵀa)·(Qᵀb)
//   Σ_x u_x (Σ_y v_y o_xy)²   = sᵀ (Pᵀdiag(u)P) s,   s = Qᵀv
#include <cmath>
#include <numeric>

#include "sqmax/core/parallel.h"
#include "sqmax/solve/solve.h"

#include "kernels/dense.h"
#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerBlock = 1024;

double inner(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(
      a.begin(), a.end(), b.begin(), 0.0, [](double s, double t) { return s + t; },
      [](float s, float t) { return double{s} * double{t}; });
}

// Σ |a_i b_i|
double sizes(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(
      a.begin(), a.end(), b.begin(), 0.0, [](double s, double t) { return s + t; },
      [](float s, float t) { return std::abs(double{s} * double{t}); });
}

double observed_part(const QuadraticForm& form, CsrView by_user, ConstMatrix P, ConstMatrix Q) {
  const auto partial = [&](const Block& block, double& sum) {
    for (Offset x = block.begin; x < block.end; ++x) {
      for (const Index y : by_user.row(static_cast<Index>(x))) {
        const double o = kernels::dot(P.row(x), Q.row(y));
        const double omega = double{form.users.curvature[at(x)]} * form.items.curvature[at(y)];
        const double rho = double{form.users.pull[at(x)]} * form.items.pull[at(y)];
        sum += omega * o * o - 2.0 * rho * o;
      }
    }
  };
  const auto add = [](double& total, double sum) { total += sum; };
  return parallel_sum(P.rows, kRowsPerBlock, 0.0, partial, add);
}

// θ sᵀ G s, where G is the Gram of the rows whose scores interact and s sums up the other side.
double interaction(const SideTerms& rows, const Matrix& gram, const SideTerms& cols,
                   ConstMatrix others) {
  if (rows.interaction == 0.0) return 0.0;
  const auto s = kernels::weighted_sum(others, cols.weight);
  double sum = 0.0;
  for (Offset k = 0; k < gram.rows(); ++k) sum += double{s[at(k)]} * inner(gram.row(k), s);
  return rows.interaction * sum;
}

double ridge_part(std::span<const float> ridge, ConstMatrix F) {
  double sum = 0.0;
  for (Offset r = 0; r < F.rows; ++r) sum += ridge[at(r)] * inner(F.row(r), F.row(r));
  return sum;
}

}  // namespace

Objective objective(const QuadraticForm& form, CsrView by_user, ConstMatrix P, ConstMatrix Q) {
  const Matrix user_gram = kernels::gram(P, form.users.weight);
  const Matrix item_gram = kernels::gram(Q, form.items.weight);
  const auto user_sum = kernels::weighted_sum(P, form.users.lean);
  const auto item_sum = kernels::weighted_sum(Q, form.items.lean);
  return {.every_pair = inner(user_gram.values(), item_gram.values()) -
                        2.0 * form.target * inner(user_sum, item_sum) -
                        interaction(form.users, user_gram, form.items, Q) -
                        interaction(form.items, item_gram, form.users, P),
          .observed = observed_part(form, by_user, P, Q),
          .ridge = ridge_part(form.users.ridge, P) + ridge_part(form.items.ridge, Q),
          .squares = sizes(user_gram.values(), item_gram.values())};
}

}  // namespace sqmax
