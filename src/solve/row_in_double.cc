// The same system as in row.cc, in double.
#include "solve/row_in_double.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/parallel.h"

namespace sqmax {
namespace {

constexpr double kLeast = 1e-10;  // F and x are single: ε² cond A ≈ 10⁻⁴ of what could be won
constexpr double kRidge = 1e-6;       // of each diagonal entry, where A is singular: some times ε
constexpr double kTrace = 1e-14;      // of the largest one, for columns that are nothing
constexpr Offset kBlock = 64;         // rows of F that are multiplied at a time
constexpr Offset kLeastShare = 1024;  // rows of F that are added up on their own
constexpr Offset kMostShares = 8;     // each has a K × K of its own

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Small rows_of(ConstMatrix F, Offset begin, Offset end) {
  return Eigen::Map<const RowMajor>(F.data + begin * F.cols, end - begin, F.cols).cast<double>();
}

Eigen::VectorXd values_of(std::span<const float> values) {
  return Eigen::Map<const Eigen::VectorXf>(values.data(), Eigen::Index(values.size()))
      .cast<double>();
}

bool has_pivots(const Eigen::LLT<Small, Eigen::Upper>& factor, const Eigen::ArrayXd& diagonal,
                double least) {
  return factor.info() == Eigen::Success &&
         (factor.matrixLLT().diagonal().array().square() >= least * diagonal).all();
}

}  // namespace

RowInDouble::Sums RowInDouble::nothing() const {
  return {Small::Zero(F_.cols, F_.cols), Eigen::VectorXd::Zero(F_.cols),
          Eigen::VectorXd::Zero(F_.cols)};
}

void RowInDouble::add_rows(Offset begin, Offset end, Sums& sums) const {
  for (; begin < end; begin += kBlock) {
    const Offset count = std::min(kBlock, end - begin);
    const Small rows = rows_of(F_, begin, begin + count);
    const Eigen::VectorXd v = values_of(weight_.subspan(at(begin), at(count)));
    const Small scaled = v.cwiseSqrt().asDiagonal() * rows;
    sums.gram.selfadjointView<Eigen::Upper>().rankUpdate(scaled.transpose());
    sums.s.noalias() += rows.transpose() * v;
    sums.centre.noalias() +=
        target_ * rows.transpose() * values_of(lean_.subspan(at(begin), at(count)));
  }
}

// The lower triangle, too.
void RowInDouble::complete() const {
  sums_.gram.triangularView<Eigen::StrictlyLower>() = sums_.gram.transpose();
  was_needed_ = true;
}

// By one thread: others may wait for it, and must not be given a part of it meanwhile.
const Small& RowInDouble::gram() const {
  std::call_once(once_, [this] {
    sums_ = nothing();
    add_rows(0, F_.rows, sums_);
    complete();
  });
  return sums_.gram;
}

void RowInDouble::sum_up_at_once() const {
  std::call_once(once_, [this] {
    const auto partial = [this](const Block& block, Sums& sums) {
      add_rows(block.begin, block.end, sums);
    };
    const auto add = [](Sums& total, const Sums& sums) {
      total.gram += sums.gram;
      total.s += sums.s;
      total.centre += sums.centre;
    };
    sums_ = parallel_sum(F_.rows, grain_for(F_.rows, kLeastShare, kMostShares), nothing(), partial,
                         add);
    complete();
  });
}

// A += ω Σ_j ω_j f_j f_jᵀ, many at a time.
void RowInDouble::add_observed(double curvature, std::span<const Index> observed, Small& A) const {
  while (!observed.empty()) {
    const auto here = observed.first(std::min(observed.size(), at(kBlock)));
    Small rows(Offset(here.size()), F_.cols);
    for (Offset n = 0; n < rows.rows(); ++n) {
      const Index j = here[at(n)];
      rows.row(n) = std::sqrt(curvature * curvature_[at(j)]) * rows_of(F_, j, Offset{j} + 1);
    }
    A.selfadjointView<Eigen::Upper>().rankUpdate(rows.transpose());
    observed = observed.subspan(here.size());
  }
}

Small RowInDouble::system(const RowTerms& terms, std::span<const Index> observed) const {
  const double u = terms.weight;
  Small A = u * gram();
  A.selfadjointView<Eigen::Upper>().rankUpdate(sums_.s, -u * theta_);
  if (terms.curvature > 0.0f) add_observed(terms.curvature, observed, A);
  A.diagonal().array() += double{terms.ridge};
  return A;
}

// With what θ s sᵀ took from it: digits that were lost there are lost.
Eigen::ArrayXd RowInDouble::diagonal_of(const Small& A, const RowTerms& terms) const {
  return A.diagonal().array() + terms.weight * theta_ * sums_.s.array().square();
}

std::optional<RowInDouble::Factor> RowInDouble::factorise(Small A,
                                                          const Eigen::ArrayXd& diagonal) const {
  Factor factor{.cholesky = Cholesky(A)};
  if (has_pivots(factor.cholesky, diagonal, kLeast)) return factor;
  has_singular_rows_ = true;
  factor.has_ridge = true;
  A.diagonal().array() += kRidge * diagonal + kTrace * diagonal.maxCoeff();
  factor.cholesky.compute(A);
  if (has_pivots(factor.cholesky, diagonal, kLeast)) return factor;
  return {};
}

// ρ Σ_j ρ_j f_j + a g + u h
Eigen::VectorXd RowInDouble::right_hand_side(const RowTerms& terms, std::span<const Index> observed,
                                             const Pulls& pulls) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(F_.cols);
  for (const Index j : observed) {
    sum.noalias() += double{pull_[at(j)]} * values_of(F_.row(j));
  }
  const Eigen::VectorXd g = pulls.asked.empty() ? sums_.centre : values_of(pulls.asked);
  sum = double{terms.pull} * sum + double{terms.lean} * g;
  if (!pulls.push.empty()) {
    sum += double{terms.weight} * Eigen::Map<const Eigen::VectorXd>(pulls.push.data(), F_.cols);
  }
  return sum;
}

bool RowInDouble::solve(const RowTerms& terms, std::span<const Index> observed, const Pulls& pulls,
                        std::span<float> x) const {
  const Small upper = system(terms, observed);
  const auto factor = factorise(upper, diagonal_of(upper, terms));
  if (!factor) return false;
  const auto A = upper.selfadjointView<Eigen::Upper>();
  const Eigen::VectorXd b = right_hand_side(terms, observed, pulls);
  const bool goes_on = factor->has_ridge && !pulls.start.empty();
  const Eigen::VectorXd start =
      goes_on ? values_of(pulls.start) : Eigen::VectorXd::Zero(Eigen::Index(x.size()));
  const Eigen::VectorXf found = (start + factor->cholesky.solve(b - A * start)).cast<float>();
  const auto loss = [&](const Eigen::VectorXd& y) { return y.dot(A * y) - 2.0 * b.dot(y); };
  const bool is_lower = !goes_on || loss(found.cast<double>()) <= loss(start);
  std::copy_n(is_lower ? found.data() : pulls.start.data(), x.size(), x.begin());
  return true;
}

Small RowInDouble::inverse(const RowTerms& terms, std::span<const Index> observed) const {
  const Small A = system(terms, observed);
  const auto factor = factorise(A, diagonal_of(A, terms));
  const Small unit = Small::Identity(F_.cols, F_.cols);
  return factor ? Small(factor->cholesky.solve(unit)) : Small::Zero(F_.cols, F_.cols);
}

}  // namespace sqmax
