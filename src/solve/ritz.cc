// Leading eigenpairs: tridiagonal form, implicit QR, and its rotations on the wanted columns alone.
//
//   T = H D Hᵀ                        Householder, D tridiagonal
//   G_r … G_1 D G_1ᵀ … G_rᵀ = Θ       rotations of neighbouring rows, by QR steps
//   Y = H G_1ᵀ … G_rᵀ E               E: the columns of the unit matrix that belong to the largest
//   Θ
//
// From the right, the rotations would have to be applied to whole rows; from the left, the last one
// first, they are applied to the columns of E alone.
#include "solve/ritz.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

namespace sqmax {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr double kNothing = 1e-30;   // beside a matrix whose largest entry is 1
constexpr Offset kStepsPerRow = 30;  // QR steps; two or three are usual
constexpr Offset kColumnsPerTask = 16;

// Of rows k and k + 1:  ( c s ; −s c )
struct Rotation {
  Offset k;
  double c;
  double s;
};

class TridiagonalQr {
 public:
  TridiagonalQr(Eigen::VectorXd diagonal, Eigen::VectorXd beside)
      : d_(std::move(diagonal)), e_(std::move(beside)) {
    Offset steps = kStepsPerRow * d_.size();
    for (Offset end = last_coupled(d_.size() - 1); end > 0 && steps > 0; --steps) {
      step(first_coupled(end), end);
      end = last_coupled(end);
    }
  }

  const Eigen::VectorXd& values() const { return d_; }
  const std::vector<Rotation>& rotations() const { return rotations_; }

 private:
  bool is_coupled(Offset k) const {
    return std::abs(e_(k)) > kRounding * (std::abs(d_(k)) + std::abs(d_(k + 1))) + kNothing;
  }
  Offset last_coupled(Offset end) const {
    while (end > 0 && !is_coupled(end - 1)) --end;
    return end;
  }
  Offset first_coupled(Offset end) const {
    Offset start = end - 1;
    while (start > 0 && is_coupled(start - 1)) --start;
    return start;
  }

  // The eigenvalue of the last two rows that is nearer to the last entry.
  double shift(Offset end) const {
    const double half = (d_(end - 1) - d_(end)) / 2;
    const double e = e_(end - 1);
    return d_(end) - e / (half + std::copysign(std::hypot(half, e), half)) * e;
  }

  // std::hypot is slow, and needed by numbers alone whose squares are none.
  static double length(double x, double z) {
    const double square = x * x + z * z;
    return square > 1e-200 ? std::sqrt(square) : std::hypot(x, z);
  }

  // Chases the bulge that the shifted first rotation makes, (x, z) being what is turned into (r,
  // 0).
  void step(Offset start, Offset end) {
    double x = d_(start) - shift(end);
    double z = e_(start);
    for (Offset k = start; k < end; ++k) {
      const double r = length(x, z);
      const double c = r > 0.0 ? x / r : 1.0;
      const double s = r > 0.0 ? z / r : 0.0;
      if (k > start) e_(k - 1) = r;
      turn(k, c, s);
      if (k + 1 < end) {
        x = e_(k);
        z = s * e_(k + 1);
        e_(k + 1) *= c;
      }
      rotations_.push_back({k, c, s});
    }
  }

  void turn(Offset k, double c, double s) {
    const double upper = d_(k);
    const double lower = d_(k + 1);
    const double cross = 2 * c * s * e_(k);
    d_(k) = c * c * upper + cross + s * s * lower;
    d_(k + 1) = s * s * upper - cross + c * c * lower;
    e_(k) = (c * c - s * s) * e_(k) + c * s * (lower - upper);
  }

  Eigen::VectorXd d_;
  Eigen::VectorXd e_;
  std::vector<Rotation> rotations_;
};

// X ← G_1ᵀ … G_rᵀ X, in parallel over columns.
void turn_back(const std::vector<Rotation>& rotations, RowMajor& X) {
  parallel_blocks(X.cols(), kColumnsPerTask, [&](const Block& block) {
    const Offset width = block.end - block.begin;
    RowMajor part = X.middleCols(block.begin, width);
    for (std::size_t r = rotations.size(); r-- > 0;) {
      const auto& [k, c, s] = rotations[r];
      double* upper = part.data() + k * width;
      double* lower = upper + width;
      for (Offset i = 0; i < width; ++i) {
        const double above = upper[i];
        upper[i] = c * above - s * lower[i];
        lower[i] = s * above + c * lower[i];
      }
    }
    X.middleCols(block.begin, width) = part;
  });
}

}  // namespace

RitzPairs ritz_pairs(const Small& T, Offset count) {
  const Offset n = T.rows();
  const double largest = T.cwiseAbs().maxCoeff();
  const double scale = largest > 0.0 ? largest : 1.0;
  if (n == 1) return {.values = T.diagonal(), .vectors = Small::Ones(1, count)};
  const Eigen::Tridiagonalization<Small> form(T / scale);
  const TridiagonalQr qr(form.diagonal(), form.subDiagonal());
  std::vector<Offset> order(at(n));
  std::iota(order.begin(), order.end(), Offset{0});
  std::ranges::stable_sort(order,
                           [&](Offset a, Offset b) { return qr.values()(a) > qr.values()(b); });
  RitzPairs pairs{.values = Eigen::VectorXd(n), .vectors = {}};
  RowMajor S = RowMajor::Zero(n, count);
  for (Offset i = 0; i < n; ++i) pairs.values(i) = scale * qr.values()(order[at(i)]);
  for (Offset i = 0; i < count; ++i) S(order[at(i)], i) = 1.0;
  turn_back(qr.rotations(), S);
  pairs.vectors = form.matrixQ() * Small(S);
  return pairs;
}

}  // namespace sqmax
