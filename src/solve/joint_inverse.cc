// SideInverse: into the eigenvectors of G, and back.
#include "solve/joint_inverse.h"

#include <algorithm>

#include "kernels/dense.h"
#include "kernels/tall.h"
#include "solve/row.h"

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
    : rows_(rows),
      G_(spectrum_of(fix_side(cols, rows.interaction, 0.0, F).gram)),
      spread_(spread_of(rows, cols, observed, F)) {}

Matrix SideInverse::apply(const Matrix& R) const {
  Matrix turned = kernels::product(R, G_.E);
  for (Offset r = 0; r < R.rows(); ++r) {
    const auto row = turned.row(r);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const float m = curvature(r, k);
      row[k] = m > 0.0f ? row[k] / m : 0.0f;
    }
  }
  return kernels::product(turned, G_.transposed);
}

double SideInverse::energy(const Matrix& X) const {
  const Matrix turned = kernels::product(X, G_.E);
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
  return std::max(u * G_.values[k] + base, kLeastCurvature * (u * G_.largest + base));
}

}  // namespace sqmax
