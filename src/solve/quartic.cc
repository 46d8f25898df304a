// The loss along a line, and its least point.                         docs/solvers/newton-cg.md
//
//   o(t) = (p + t d)·(q + t e) = p·q + t (p·e + d·q) + t² d·e
//   Gram(t) = G + t Ġ + t² Ġ̇,   L(t) = ⟨Gram_P(t), Gram_Q(t)⟩ + …
#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/tall.h"
#include "solve/joint.h"
#include "solve/small.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerBlock = 1024;
constexpr double kReal = 1e-6;  // how much of a root may be imaginary by rounding

/// A side as a polynomial: the Gram has three coefficients, sums have two.
struct SideAlong {
  SideAlong(const SideTerms& terms, ConstMatrix X, ConstMatrix D)
      : sum{to_vector(X, terms.weight), to_vector(D, terms.weight)},
        lean{to_vector(X, terms.lean), to_vector(D, terms.lean)} {
    const Small cross = to_small(kernels::cross(D, terms.weight, X));
    gram = {to_small(kernels::gram(X, terms.weight)), cross + cross.transpose(),
            to_small(kernels::gram(D, terms.weight))};
  }
  static Eigen::VectorXd to_vector(ConstMatrix X, std::span<const float> w) {
    const std::vector<float> sum = kernels::weighted_sum(X, w);
    return Eigen::Map<const Eigen::VectorXf>(sum.data(), static_cast<Offset>(sum.size()))
        .cast<double>();
  }

  std::array<Small, 3> gram;
  std::array<Eigen::VectorXd, 2> sum;   // Σ u_r x_r
  std::array<Eigen::VectorXd, 2> lean;  // Σ a_r x_r
};

void add_every_pair(const QuadraticForm& form, const SideAlong& users, const SideAlong& items,
                    Quartic& c) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      c[i + j] += users.gram[i].cwiseProduct(items.gram[j]).sum();
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      c[i + j] -= 2.0 * form.target * users.lean[i].dot(items.lean[j]);
    }
  }
}

// −θ sᵀ G s
void add_interaction(double theta, const SideAlong& rows, const SideAlong& cols, Quartic& c) {
  if (theta == 0.0) return;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 2; ++k) {
        c[i + j + k] -= theta * cols.sum[i].dot(rows.gram[j] * cols.sum[k]);
      }
    }
  }
}

void add_ridge(const SideTerms& terms, ConstMatrix X, ConstMatrix D, Quartic& c) {
  for (Offset r = 0; r < X.rows; ++r) {
    const double ridge = terms.ridge[at(r)];
    c[0] += ridge * kernels::dot(X.row(r), X.row(r));
    c[1] += 2.0 * ridge * kernels::dot(X.row(r), D.row(r));
    c[2] += ridge * kernels::dot(D.row(r), D.row(r));
  }
}

// ω o(t)² − 2 ρ o(t)
void add_pair(double omega, double rho, const std::array<double, 3>& o, Quartic& c) {
  for (std::size_t i = 0; i < 3; ++i) {
    c[i] -= 2.0 * rho * o[i];
    for (std::size_t j = 0; j < 3; ++j) c[i + j] += omega * o[i] * o[j];
  }
}

void add_observed(const Problem& problem, const Joint& z, const Joint& d, Quartic& c) {
  const SideTerms& users = problem.form.users;
  const SideTerms& items = problem.form.items;
  const auto partial = [&](const Block& block, Quartic& sum) {
    for (Offset x = block.begin; x < block.end; ++x) {
      for (const Index y : problem.by_user.row(static_cast<Index>(x))) {
        const std::array<double, 3> o = {
            kernels::dot(z.P.row(x), z.Q.row(y)),
            double{kernels::dot(z.P.row(x), d.Q.row(y))} + kernels::dot(d.P.row(x), z.Q.row(y)),
            kernels::dot(d.P.row(x), d.Q.row(y))};
        add_pair(double{users.curvature[at(x)]} * items.curvature[at(y)],
                 double{users.pull[at(x)]} * items.pull[at(y)], o, sum);
      }
    }
  };
  const auto add = [](Quartic& total, const Quartic& sum) {
    std::ranges::transform(total, sum, total.begin(), std::plus<>());
  };
  const Quartic observed = parallel_sum(z.P.rows(), kRowsPerBlock, Quartic{}, partial, add);
  add(c, observed);
}

}  // namespace

Quartic along(const Problem& problem, const Joint& z, const Joint& d) {
  const QuadraticForm& form = problem.form;
  const SideAlong users(form.users, z.P, d.P);
  const SideAlong items(form.items, z.Q, d.Q);
  Quartic c = {};
  add_every_pair(form, users, items, c);
  add_interaction(form.users.interaction, users, items, c);
  add_interaction(form.items.interaction, items, users, c);
  add_observed(problem, z, d, c);
  add_ridge(form.users, z.P, d.P, c);
  add_ridge(form.items, z.Q, d.Q, c);
  return c;
}

double value_at(const Quartic& c, double t) {
  return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])));
}

// The slope c_1 + 2 c_2 t + 3 c_3 t² + 4 c_4 t³ vanishes at the eigenvalues of its companion
// matrix; in 1/t, so that a vanishing leading coefficient is no trouble.
double least_ahead(const Quartic& c) {
  if (!(c[1] < 0.0)) return 0.0;
  Eigen::Matrix3d companion = Eigen::Matrix3d::Zero();
  companion(0, 0) = -2.0 * c[2] / c[1];
  companion(0, 1) = -3.0 * c[3] / c[1];
  companion(0, 2) = -4.0 * c[4] / c[1];
  companion(1, 0) = companion(2, 1) = 1.0;
  if (!companion.allFinite()) return 0.0;
  const Eigen::Vector3cd inverses =
      Eigen::EigenSolver<Eigen::Matrix3d>(companion, false).eigenvalues();
  double least = 0.0;
  for (const std::complex<double>& inverse : inverses) {
    if (!(inverse.real() > 0.0) || std::abs(inverse.imag()) > kReal * inverse.real()) continue;
    const double t = 1.0 / inverse.real();
    if (std::isfinite(t) && value_at(c, t) < value_at(c, least)) least = t;
  }
  return least;
}

}  // namespace sqmax
