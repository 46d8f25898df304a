// QuadraticLaw: a squared loss as a dozen numbers, valid for rows that do not exist yet.
// docs/notation.md
#pragma once

#include "sqmax/core/index.h"

namespace sqmax {

/// A quantity of a row as a function of its degree n (its number of interactions):
///
///   scale · max(offset + slope·n, floor)^power
struct DegreeLaw {
  double scale = 0.0;
  double offset = 1.0;
  double slope = 0.0;
  double power = 1.0;
  double floor = 0.0;

  double operator()(double degree) const;
  bool operator==(const DegreeLaw&) const = default;
};

constexpr DegreeLaw constant(double value) { return {.scale = value}; }

/// scale · max(n, floor)^power
constexpr DegreeLaw power_of_degree(double scale, double power, double floor) {
  return {.scale = scale, .offset = 0.0, .slope = 1.0, .power = power, .floor = floor};
}

/// One side (users or items) of a squared loss.
struct SideLaw {
  DegreeLaw weight;                   ///< u_x or v_y: separable weight of every pair
  DegreeLaw lean = weight;            ///< a_x or b_y: separable weight of every pair's target
  DegreeLaw curvature = constant(0);  ///< ω: one side's factor of an observed pair's o²
  DegreeLaw pull = constant(1);       ///< ρ: one side's factor of an observed pair's −2 o
  DegreeLaw ridge = constant(0);      ///< λ_x or μ_y, the part that is not weighted
  double interaction = 0.0;           ///< θ: how much of the interaction of a row's scores counts

  bool operator==(const SideLaw&) const = default;
};

/// Every squared loss of this project, written as data:
///
///   L(P,Q) = Σ_x Σ_y ( u_x v_y o_xy² − 2 τ a_x b_y o_xy )         every pair
///          − θ Σ_x u_x ( Σ_y v_y o_xy )²                          interaction of a user's scores
///          − θ' Σ_y v_y ( Σ_x u_x o_xy )²                         interaction of an item's scores
///          + Σ_{(x,y)∈R} ( ω_x ω_y o_xy² − 2 ρ_x ρ_y o_xy )       observed pairs
///          + Σ_x λ_x |p_x|² + Σ_y μ_y |q_y|²,   o_xy = p_x · q_y
///
/// with a = u and b = v unless declared otherwise, and θ = θ' = 0 for most losses. L is convex in
/// either side for θ ≤ 1 if Σ_y v_y = 1.
///
/// The weighted ridge adds κ·(row sum of W) to λ_x and κ·(column sum of W) to μ_y, where
/// W_xy = u_x v_y + r_xy ω_x ω_y. Exchanging users and items exchanges nothing but the two sides.
struct QuadraticLaw {
  SideLaw users;
  SideLaw items;
  double target = 0.0;          ///< τ
  double weighted_ridge = 0.0;  ///< κ

  bool operator==(const QuadraticLaw&) const = default;
};

/// The law without its ridge: two losses with equal ones share a factorisation.
QuadraticLaw without_ridge(QuadraticLaw law);

}  // namespace sqmax
