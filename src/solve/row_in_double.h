// RowInDouble: a row whose system single precision cannot tell from a singular one.
// docs/solvers/als.md
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <span>

#include <Eigen/Cholesky>

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

#include "solve/row.h"
#include "solve/small.h"

namespace sqmax {

/// Cholesky of rounded numbers finds x with (A + E) x = b, |E_ij| ≈ ε √(A_ii A_jj). If x lies where
/// A curves least, that loses (ε cond A)² of what the row could win: nothing, as long as cond A is
/// far below 1/ε. Where pivots say that it may not be, A is summed up and solved in double.
class RowInDouble {
 public:
  /// As of fix_side(). The vectors of `fixed`, and F, must live as long.
  RowInDouble(const SideTerms& fixed, double theta, double target, ConstMatrix F)
      : weight_(fixed.weight),
        lean_(fixed.lean),
        curvature_(fixed.curvature),
        pull_(fixed.pull),
        theta_(theta),
        target_(target),
        F_(F) {}

  /// Of a FixedSide, whose g this side has itself unless another is asked for; and where the row
  /// is, or nothing.
  struct Pulls {
    std::span<const float> asked;
    std::span<const double> push;
    std::span<const float> start = {};
  };

  /// x = A⁻¹ b, where b is double too: what is left of it where pulls cancel is divided by next to
  /// nothing. Where A is singular, a ridge holds x near to where it starts, and x stays there if
  /// that is lower. False, and x as it was, if A is not positive definite.
  bool solve(const RowTerms& terms, std::span<const Index> observed, const Pulls& pulls,
             std::span<float> x) const;
  /// A⁻¹; or zero.
  Small inverse(const RowTerms& terms, std::span<const Index> observed) const;

  /// A itself; its upper triangle.
  Small system(const RowTerms& terms, std::span<const Index> observed) const;

  /// Fᵀ diag(v) F, made by the first who asks.
  const Small& gram() const;
  /// Makes it by all threads, outside of parallel loops.
  void sum_up_at_once() const;
  /// Whether anybody did.
  bool was_needed() const { return was_needed_; }
  /// Whether a row was asked for whose A is singular.
  bool has_singular_rows() const { return has_singular_rows_; }

 private:
  using Cholesky = Eigen::LLT<Small, Eigen::Upper>;

  struct Factor {
    Cholesky cholesky;
    bool has_ridge = false;
  };

  struct Sums {
    Small gram;              // its upper triangle, until it is complete
    Eigen::VectorXd s;       // Fᵀv
    Eigen::VectorXd centre;  // τ Fᵀ b
  };

  Sums nothing() const;
  void add_rows(Offset begin, Offset end, Sums& sums) const;
  void complete() const;
  std::optional<Factor> factorise(Small A, const Eigen::ArrayXd& diagonal) const;
  Eigen::ArrayXd diagonal_of(const Small& A, const RowTerms& terms) const;
  void add_observed(double curvature, std::span<const Index> observed, Small& A) const;
  Eigen::VectorXd right_hand_side(const RowTerms& terms, std::span<const Index> observed,
                                  const Pulls& pulls) const;

  std::span<const float> weight_;
  std::span<const float> lean_;
  std::span<const float> curvature_;
  std::span<const float> pull_;
  double theta_;
  double target_;
  ConstMatrix F_;
  mutable std::once_flag once_;
  mutable std::atomic<bool> was_needed_ = false;
  mutable std::atomic<bool> has_singular_rows_ = false;
  mutable Sums sums_;
};

}  // namespace sqmax
