// Draws: sizes and values of a fuzzer's input, and plain products to compare kernels with.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/core/random.h"

#include "fuzz/byte_source.h"

namespace sqmax::kernels_fuzz {

/// Sizes are the bytes of the input, and so is the seed of the values. These are small integers:
/// every sum is exact in any order, with and without FMA.
class Draws {
 public:
  explicit Draws(std::span<const std::uint8_t> bytes)
      : left_(bytes),
        random_(std::accumulate(
                    bytes.begin(), bytes.end(), std::uint64_t{0},
                    [](std::uint64_t seed, std::uint8_t byte) { return seed * 257 + byte; }),
                Purpose::Test) {}

  Offset size(Offset most) {
    if (left_.empty()) return below(most + 1);
    const Offset first = left_.front();
    left_ = left_.subspan(1);
    return first % (most + 1);
  }
  Offset below(Offset bound) {
    return static_cast<Offset>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  float value() { return static_cast<float>(random_.below(9)) - 4.0f; }
  std::vector<float> values(Offset count) {
    std::vector<float> drawn(at(count));
    for (float& each : drawn) each = value();
    return drawn;
  }
  Matrix matrix(Offset rows, Offset cols) {
    Matrix drawn(rows, cols);
    for (float& each : drawn.values()) each = value();
    return drawn;
  }

 private:
  std::span<const std::uint8_t> left_;
  Random random_;
};

inline bool same(std::span<const float> a, std::span<const float> b) {
  return std::ranges::equal(a, b);
}

inline Matrix turned(const Matrix& A) {
  Matrix T(A.cols(), A.rows());
  for (Offset i = 0; i < A.rows(); ++i) {
    for (Offset j = 0; j < A.cols(); ++j) T(j, i) = A(i, j);
  }
  return T;
}

// C + sign A B
inline Matrix plus_product(Matrix C, float sign, const Matrix& A, const Matrix& B) {
  for (Offset i = 0; i < C.rows(); ++i) {
    for (Offset j = 0; j < C.cols(); ++j) {
      for (Offset k = 0; k < A.cols(); ++k) C(i, j) += sign * A(i, k) * B(k, j);
    }
  }
  return C;
}

inline Matrix times(const Matrix& A, const Matrix& B) {
  return plus_product(Matrix(A.rows(), B.cols()), 1.0f, A, B);
}

inline bool near(double a, double b) { return std::abs(a - b) <= 2e-6 * std::abs(b) + 1e-6; }

}  // namespace sqmax::kernels_fuzz
