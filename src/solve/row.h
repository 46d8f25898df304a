// One row of a half-step: its system, and how it is solved.               docs/solvers/als.md
// Users and items do not appear here: there is the solved side and the fixed side.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

#include "solve/small.h"

namespace sqmax {

class RowInDouble;

/// The numbers of one row of the solved side.
struct RowTerms {
  float weight = 0.0f;
  float lean = 0.0f;
  float curvature = 0.0f;
  float pull = 0.0f;
  float ridge = 0.0f;
};

/// What all rows of a half-step share.
struct FixedSide {
  ConstMatrix F;                                   ///< the fixed factors, one row per index
  std::span<const float> curvature;                ///< ω of the fixed side
  std::span<const float> pull;                     ///< ρ of the fixed side
  std::shared_ptr<const std::vector<float>> root;  ///< √ω; copies of a side share it
  Matrix gram;                                     ///< G = Fᵀ diag(v) F − θ s sᵀ,  s = Fᵀv
  std::vector<float> centre;                       ///< g = τ Fᵀ b
  std::vector<float> taken = {};      ///< the diagonal of what G lost, θ s sᵀ; or none
  std::span<const float> asked = {};  ///< a centre to be taken for g, in double, too; or none
  Eigen::VectorXd push = {};          ///< h: from the other solved rows, see interaction.h; or none
  std::shared_ptr<const RowInDouble> in_double =
      {};                ///< for rows that are nearly singular; or none
  bool goes_on = false;  ///< singular rows are solved from where they are, not from zero
};

/// θ is the interaction of the solved side's rows. `fixed` and F must live as long.
FixedSide fix_side(const SideTerms& fixed, double theta, double target, ConstMatrix F);

RowTerms row_terms(const SideTerms& side, Offset row);

/// What a row has observed, and what the one after it has: those factors are fetched early.
struct ObservedRow {
  std::span<const Index> row;
  std::span<const Index> next = {};
};

ObservedRow observed_row(CsrView observed, Offset row);

/// Whether the row has nothing that curves the loss. Its vector is zero, whoever solves it.
inline bool is_idle(const RowTerms& terms, std::span<const Index> observed) {
  return terms.weight <= 0.0f && terms.ridge <= 0.0f &&
         (terms.curvature <= 0.0f || observed.empty());
}

/// x = ρ Σ_{j∈I} ρ_j f_j + a g + u h, the right-hand side of a row's system.
void right_hand_side(const FixedSide& fixed, const RowTerms& terms, std::span<const Index> observed,
                     std::span<float> x);

/// Room for the system of one row; reused from row to row.
struct RowWorkspace {
  explicit RowWorkspace(Offset rank);
  Matrix A;
  std::vector<float> diagonal;  ///< of A, with what was taken from it, before it is factorised
  Matrix gathered;
  std::vector<float> start;  ///< where the row was, of a side that goes on
};

/// x = argmin over one row, which starts where x is if the side goes on. A system that stays
/// singular leaves x where it starts, or is 0; one that nothing curves (no weight, no ridge), is 0.
void solve_row(const FixedSide& fixed, const RowTerms& terms, const ObservedRow& observed,
               RowWorkspace& workspace, std::span<float> x);
/// A⁻¹ of the system that solve_row() solves; for sides whose rows can be solved in double.
Small inverse_of_row(const FixedSide& fixed, const RowTerms& terms, const ObservedRow& observed,
                     RowWorkspace& workspace);

}  // namespace sqmax
