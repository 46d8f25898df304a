// Basis: orthonormal columns in blocks, as a Krylov iteration grows them.
// docs/solvers/exact.md
#pragma once

#include <vector>

#include "sqmax/core/matrix.h"

#include "solve/small.h"

namespace sqmax {

class Basis {
 public:
  explicit Basis(Offset size) : ones_(at(size), 1.0f) {}

  Offset dimension() const { return dimension_; }
  const Matrix& last_block() const { return blocks_.back(); }

  void append(Matrix block);
  void replace_by(Matrix block);

  /// W −= V VᵀW; returns VᵀW.
  Small project_out(Matrix& W) const;

  /// V Y
  Matrix combine(const Small& Y) const;

  /// W ← W E Λ^{-1/2} for WᵀW = E Λ Eᵀ, without the directions shorter than `shortest`; returns R
  /// with (old W) = (new W) R up to what was dropped.
  Small orthonormalise(Matrix& W, double shortest) const;

 private:
  Matrix cross(const Matrix& W) const;

  std::vector<float> ones_;
  std::vector<Matrix> blocks_;
  Offset dimension_ = 0;
};

}  // namespace sqmax
