// SideInverse: into the eigenvectors of G, and back.
#include "solve/joint_inverse.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "kernels/dense.h"
#include "kernels/tall.h"
#include "solve/row.h"
#include "solve/small.h"

namespace sqmax {
namespace {

constexpr float kLeastCurvature = 1e-6f;  // of the largest: nothing is divided by less

// c_r
std::vector<float> spread_of(const SideTerms& rows, const SideTerms& cols, CsrView observed,
                             ConstMatrix F) {
  std::vector<float> lengths;
  for (Offset j = 0; j < F.rows; ++j) {
    lengths.push_back(cols.curvature[at(j)] * kernels::dot(F.row(j), F.row(j)));
  }
  std::vector<float> spread(at(rows.size()));
  for (Index r = 0; r < rows.size(); ++r) {
    double sum = 0.0;
    for (const Index j : observed.row(r)) sum += lengths[at(j)];
    spread[at(r)] = static_cast<float>(rows.curvature[at(r)] * sum / double(F.cols));
  }
  return spread;
}

}  // namespace

SideInverse::SideInverse(const SideTerms& rows, const SideTerms& cols, CsrView observed,
                         ConstMatrix F)
    : rows_(rows), spread_(spread_of(rows, cols, observed, F)) {
  const FixedSide fixed = fix_side(cols, rows.interaction, 0.0, F);
  const Eigen::SelfAdjointEigenSolver<Small> eigen(to_small(fixed.gram));
  V_ = to_matrix(eigen.eigenvectors());
  transposed_ = to_matrix(eigen.eigenvectors().transpose());
  for (const double value : eigen.eigenvalues()) {
    values_.push_back(static_cast<float>(std::max(value, 0.0)));
  }
}

Matrix SideInverse::apply(const Matrix& R) const {
  Matrix turned = kernels::product(R, V_);
  for (Offset r = 0; r < R.rows(); ++r) {
    const auto row = turned.row(r);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const float m = curvature(r, k);
      row[k] = m > 0.0f ? row[k] / m : 0.0f;
    }
  }
  return kernels::product(turned, transposed_);
}

double SideInverse::energy(const Matrix& X) const {
  const Matrix turned = kernels::product(X, V_);
  double sum = 0.0;
  for (Offset r = 0; r < X.rows(); ++r) {
    const auto row = turned.row(r);
    for (std::size_t k = 0; k < row.size(); ++k) sum += double{curvature(r, k)} * row[k] * row[k];
  }
  return sum;
}

// Of row r along eigenvector k.
float SideInverse::curvature(Offset r, std::size_t k) const {
  const float u = rows_.weight[at(r)];
  const float base = rows_.ridge[at(r)] + spread_[at(r)];
  return std::max(u * values_[k] + base, kLeastCurvature * (u * values_.back() + base));
}

}  // namespace sqmax
