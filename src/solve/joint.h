// Joint: P and Q as one vector, with the derivatives of a form at it.  docs/solvers/newton-cg.md
// All derivatives here are halves: those of L/2.
#pragma once

#include <array>

#include "sqmax/core/matrix.h"
#include "sqmax/solve/solve.h"

namespace sqmax {

struct Joint {
  Matrix P;
  Matrix Q;
};

/// Zeros of the same shape.
Joint like(const Joint& z);

double dot(const Joint& a, const Joint& b);

/// y += a x
void add(double a, const Joint& x, Joint& y);

/// y = x + b y
void add_to(const Joint& x, double b, Joint& y);

/// g = ½∇L(P, Q).  O(nnz·K + (M+N)·K²)
void half_gradient(const Problem& problem, ConstMatrix P, ConstMatrix Q, Joint& g);
inline void half_gradient(const Problem& problem, const Joint& z, Joint& g) {
  half_gradient(problem, z.P, z.Q, g);
}

/// h = ½∇²L(z) d, the same order of work and no K×K matrix a row.
void half_hessian(const Problem& problem, const Joint& z, const Joint& d, Joint& h);

/// L(z + t d) = Σ_i c_i tⁱ: a score is a product of two lines, the loss a square of scores.
using Quartic = std::array<double, 5>;
Quartic along(const Problem& problem, const Joint& z, const Joint& d);

/// The t > 0 with the least Σ c_i tⁱ; 0 if none lies below c_0.
double least_ahead(const Quartic& c);

double value_at(const Quartic& c, double t);

}  // namespace sqmax
