// Joint: both sides by one function with the roles swapped.           docs/solvers/newton-cg.md
#include "solve/joint.h"

#include <functional>
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/elementwise.h"
#include "kernels/rows.h"
#include "kernels/tall.h"
#include "solve/interaction.h"
#include "solve/long_sums.h"
#include "solve/row.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerBlock = 256;

double dot(ConstMatrix A, ConstMatrix B) {
  const auto partial = [&](const Block& block, double& sum) {
    for (Offset r = block.begin; r < block.end; ++r) sum += kernels::dot(A.row(r), B.row(r));
  };
  const auto add = [](double& total, double sum) { total += sum; };
  return parallel_sum(A.rows, kRowsPerBlock, 0.0, partial, add);
}

void for_rows(Offset rows, const std::function<void(Offset)>& body) {
  parallel_blocks(rows, kRowsPerBlock, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) body(r);
  });
}

/// A side in the role of the one that moves, and the other one.
struct Role {
  const SideTerms& rows;
  const SideTerms& cols;
  double target = 0.0;
  CsrView observed;
};

Role users_of(const Problem& problem) {
  return {problem.form.users, problem.form.items, problem.form.target, problem.by_user};
}

Role items_of(const Problem& problem) {
  return {problem.form.items, problem.form.users, problem.form.target, problem.by_item};
}

// g_r = A_r x_r − b_r, the residual of the system that a half-step would solve.
void gradient_of(const Role& side, ConstMatrix X, ConstMatrix F, Matrix& g) {
  FixedSide fixed = fix_side(side.cols, side.rows.interaction, side.target, F);
  if (side.cols.interaction != 0.0) fixed.push = tangent_push(side.rows, side.cols, F, X);
  const Matrix curved = kernels::product(X, fixed.gram);  // G x
  for_rows(X.rows, [&](Offset r) {
    const RowTerms terms = row_terms(side.rows, r);
    const auto observed = side.observed.row(static_cast<Index>(r));
    const auto out = g.row(r);
    right_hand_side(fixed, terms, observed, out);
    kernels::scale(-1.0f, out);
    kernels::axpy(terms.weight, curved.row(r), out);
    kernels::axpy(terms.ridge, X.row(r), out);
    if (terms.curvature > 0.0f) {
      add_in_pieces(observed, out, [&](std::span<const Index> piece, std::span<float> sum) {
        kernels::add_outer_products(piece, fixed.curvature, F, terms.curvature, X.row(r), sum);
      });
    }
  });
}

// Ȧ = Eᵀ diag(v) F + Fᵀ diag(v) E
Matrix gram_along(ConstMatrix F, std::span<const float> v, ConstMatrix E) {
  const Matrix half = kernels::cross(E, v, F);
  Matrix whole(half.rows(), half.cols());
  for (Offset i = 0; i < half.rows(); ++i) {
    for (Offset j = 0; j < half.cols(); ++j) whole(i, j) = half(i, j) + half(j, i);
  }
  return whole;
}

std::vector<float> times(const Matrix& A, std::span<const float> x) {
  std::vector<float> y;
  for (Offset i = 0; i < A.rows(); ++i) y.push_back(kernels::dot(A.row(i), x));
  return y;
}

/// What all rows share when the fixed side F moves along E, and the rows X along D.
struct Shared {
  Matrix gram;                // Ġ − θ (ṡ sᵀ + s ṡᵀ)
  std::vector<float> centre;  // τ Eᵀb
  std::vector<float> push;    // θ' (Ġ t + G ṫ),  t = Xᵀu; empty without that interaction
};

Shared shared_along(const Role& side, ConstMatrix X, ConstMatrix D, ConstMatrix F, ConstMatrix E) {
  Shared shared{.gram = gram_along(F, side.cols.weight, E),
                .centre = kernels::weighted_sum(E, side.cols.lean)};
  kernels::scale(static_cast<float>(side.target), shared.centre);
  if (side.cols.interaction != 0.0) {
    const auto t = kernels::weighted_sum(X, side.rows.weight);
    const auto t_along = kernels::weighted_sum(D, side.rows.weight);
    shared.push = times(shared.gram, t);
    kernels::axpy(1.0f, times(kernels::gram(F, side.cols.weight), t_along), shared.push);
    kernels::scale(static_cast<float>(side.cols.interaction), shared.push);
  }
  if (side.rows.interaction != 0.0) {
    const auto theta = static_cast<float>(side.rows.interaction);
    const auto s = kernels::weighted_sum(F, side.cols.weight);
    const auto s_along = kernels::weighted_sum(E, side.cols.weight);
    for (Offset i = 0; i < F.cols; ++i) {
      kernels::axpy(-theta * s_along[at(i)], s, shared.gram.row(i));
      kernels::axpy(-theta * s[at(i)], s_along, shared.gram.row(i));
    }
  }
  return shared;
}

// Σ_{j∈I} ω ω_j ( (f_j·d + e_j·x) f_j + (f_j·x) e_j ) − ρ ρ_j e_j
void add_observed(const Role& side, const RowTerms& terms, Offset r, ConstMatrix X, ConstMatrix D,
                  ConstMatrix F, ConstMatrix E, std::span<const Index> observed,
                  std::span<float> out) {
  for (const Index j : observed) {
    const float omega = terms.curvature * side.cols.curvature[at(j)];
    const float rho = terms.pull * side.cols.pull[at(j)];
    const float along = kernels::dot(F.row(j), D.row(r)) + kernels::dot(E.row(j), X.row(r));
    kernels::axpy(omega * along, F.row(j), out);
    kernels::axpy(omega * kernels::dot(F.row(j), X.row(r)) - rho, E.row(j), out);
  }
}

//   h_r = A_r d_r + Ȧ_r x_r − ḃ_r
void hessian_of(const Role& side, ConstMatrix X, ConstMatrix D, ConstMatrix F, ConstMatrix E,
                Matrix& h) {
  const FixedSide fixed = fix_side(side.cols, side.rows.interaction, side.target, F);
  const Shared shared = shared_along(side, X, D, F, E);
  Matrix curved = kernels::product(D, fixed.gram);  // G d + Ġ x
  kernels::add_product(1.0f, X, shared.gram, curved.view());
  for_rows(X.rows, [&](Offset r) {
    const RowTerms terms = row_terms(side.rows, r);
    const auto observed = side.observed.row(static_cast<Index>(r));
    const auto out = h.row(r);
    if (terms.curvature > 0.0f) {
      std::ranges::fill(out, 0.0f);
      add_in_pieces(observed, out, [&](std::span<const Index> piece, std::span<float> sum) {
        add_observed(side, terms, r, X, D, F, E, piece, sum);
      });
    } else {
      kernels::gather_sum(observed, side.cols.pull, E, -terms.pull, out);
    }
    kernels::axpy(-terms.lean, shared.centre, out);
    if (!shared.push.empty()) kernels::axpy(-terms.weight, shared.push, out);
    kernels::axpy(terms.weight, curved.row(r), out);
    kernels::axpy(terms.ridge, D.row(r), out);
  });
}

}  // namespace

Joint like(const Joint& z) {
  return {.P = Matrix(z.P.rows(), z.P.cols()), .Q = Matrix(z.Q.rows(), z.Q.cols())};
}

double dot(const Joint& a, const Joint& b) { return dot(a.P, b.P) + dot(a.Q, b.Q); }

void add(double a, const Joint& x, Joint& y) {
  const auto factor = static_cast<float>(a);
  for_rows(y.P.rows(), [&](Offset r) { kernels::axpy(factor, x.P.row(r), y.P.row(r)); });
  for_rows(y.Q.rows(), [&](Offset r) { kernels::axpy(factor, x.Q.row(r), y.Q.row(r)); });
}

void add_to(const Joint& x, double b, Joint& y) {
  const auto one_side = [b](const Matrix& from, Matrix& to) {
    for_rows(to.rows(), [&](Offset r) {
      kernels::scale(static_cast<float>(b), to.row(r));
      kernels::axpy(1.0f, from.row(r), to.row(r));
    });
  };
  one_side(x.P, y.P);
  one_side(x.Q, y.Q);
}

void half_gradient(const Problem& problem, ConstMatrix P, ConstMatrix Q, Joint& g) {
  gradient_of(users_of(problem), P, Q, g.P);
  gradient_of(items_of(problem), Q, P, g.Q);
}

void half_hessian(const Problem& problem, const Joint& z, const Joint& d, Joint& h) {
  hessian_of(users_of(problem), z.P, d.P, z.Q, d.Q, h.P);
  hessian_of(items_of(problem), z.Q, d.Q, z.P, d.P, h.Q);
}

}  // namespace sqmax
