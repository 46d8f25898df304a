// A sweep of a separable form, in pieces that may be on different machines: users in parts, items
// in ranges, and sums that meet.                          docs/solvers/spectral.md#in-passes
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

/// What rows need to know of all rows F of the other side: K² + K numbers. Those of disjoint rows
/// add up.
struct SideSums {
  Matrix gram;              ///< Fᵀ diag(v) F
  std::vector<float> lean;  ///< Fᵀ b
};

SideSums no_sums(Offset rank);
void add(const SideSums& part, SideSums& total);

/// Of the rows F, which are rows begin, begin + 1, … of `terms`.
SideSums sums_of(const SideTerms& terms, Offset begin, ConstMatrix F);

/// The systems of all rows of one side, given the sums of the other; ω = 0 and θ = 0.
/// Any number of threads may solve rows at once.
class SharedSystem {
 public:
  SharedSystem(const SideSums& sums, double target);
  /// With all rows F of the fixed side at hand: summed up again in double if one of the solved rows
  /// needs that.
  SharedSystem(const SideTerms& solved, const SideTerms& fixed, const SideSums& sums, double target,
               ConstMatrix F);
  ~SharedSystem();
  SharedSystem(SharedSystem&&) noexcept;
  SharedSystem& operator=(SharedSystem&&) noexcept;

  /// X has the pulls ρ_x Σ_{j∈I_x} ρ_j f_j of rows begin, begin + 1, … of `solved`, and gets their
  /// vectors.  O(rows·K²)
  void solve(const SideTerms& solved, Offset begin, MutableMatrix X) const;

 private:
  struct Spectrum;
  SharedSystem(std::unique_ptr<Spectrum> spectrum, double target);

  std::unique_ptr<Spectrum> spectrum_;
};

/// diag(ρ) F, ready to be gathered by any number of matrices.
class PullingSide {
 public:
  PullingSide();
  ~PullingSide();
  PullingSide(PullingSide&&) noexcept;
  PullingSide& operator=(PullingSide&&) noexcept;

  /// Memory of an earlier one is used again.
  void assign(ConstMatrix F, std::span<const float> pull);

  /// B += diag(pull) R diag(ρ) F; no pull: 1.  O(nnz·K)
  void add_to(CsrView R, std::span<const float> pull, MutableMatrix B) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Where an alternation starts: rows begin, begin + 1, … of Q, random and short.
Matrix start_of_items(Offset begin, Offset rows, Offset rank, std::uint64_t seed);

/// ‖new − old‖ / ‖new‖
double relative_change(std::span<const float> before, std::span<const float> after);

/// The columns begin, …, end − 1 alone, counted from 0.
Csr middle_columns(CsrView matrix, Index begin, Index end);

}  // namespace sqmax
