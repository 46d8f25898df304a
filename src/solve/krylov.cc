// Block Krylov iteration with thick restarts and full orthogonalisation.  docs/solvers/exact.md
//
//   V = [V_1 … V_s]   orthonormal basis, n × m, by blocks
//   T = Vᵀ B V        m × m;  T = Y Θ Yᵀ gives Ritz values Θ and vectors V Y
//   W R = B V_s − V VᵀB V_s   the next block and how it couples:  ‖B v_i − θ_i v_i‖ = ‖R y_i,s‖
#include "solve/krylov.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "sqmax/core/random.h"

#include "kernels/dense.h"
#include "kernels/tall.h"

namespace sqmax {
namespace {

using Small = Eigen::MatrixXd;
using Eigensolver = Eigen::SelfAdjointEigenSolver<Small>;

Small to_small(const Matrix& m) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(m.values().data(), m.rows(), m.cols()).cast<double>();
}

Matrix to_matrix(const Small& small) {
  Matrix m(small.rows(), small.cols());
  for (Offset i = 0; i < m.rows(); ++i) {
    for (Offset j = 0; j < m.cols(); ++j) m(i, j) = static_cast<float>(small(i, j));
  }
  return m;
}

Matrix random_block(Offset rows, Offset cols, std::uint64_t seed) {
  Matrix block(rows, cols);
  for (Offset r = 0; r < rows; ++r) {
    Random random(seed, Purpose::Start, static_cast<std::uint64_t>(r));
    for (float& value : block.row(r)) value = static_cast<float>(random.normal());
  }
  return block;
}

class Basis {
 public:
  explicit Basis(Offset size) : ones_(at(size), 1.0f) {}

  Offset dimension() const { return dimension_; }
  Offset last() const { return blocks_.back().cols(); }
  const Matrix& last_block() const { return blocks_.back(); }

  void append(Matrix block) {
    dimension_ += block.cols();
    blocks_.push_back(std::move(block));
  }

  /// W −= V VᵀW; returns VᵀW.
  Small project_out(Matrix& W) const {
    Small H(dimension_, W.cols());
    Offset row = 0;
    for (const Matrix& V : blocks_) {
      const Matrix C = kernels::cross(V, ones_, W);
      kernels::add_product(-1.0f, V, C, W.view());
      H.middleRows(row, V.cols()) = to_small(C);
      row += V.cols();
    }
    return H;
  }

  /// V Y
  Matrix combine(const Small& Y) const {
    Matrix result(static_cast<Offset>(ones_.size()), Y.cols());
    Offset row = 0;
    for (const Matrix& V : blocks_) {
      kernels::add_product(1.0f, V, to_matrix(Y.middleRows(row, V.cols())), result.view());
      row += V.cols();
    }
    return result;
  }

  void replace_by(Matrix block) {
    blocks_.clear();
    dimension_ = 0;
    append(std::move(block));
  }

  /// W ← W E Λ^{-1/2} for WᵀW = E Λ Eᵀ, without the directions shorter than `shortest`; returns R
  /// with (old W) = (new W) R up to what was dropped.
  Small orthonormalise(Matrix& W, double shortest) const {
    const Eigensolver eigen(to_small(kernels::gram(W, ones_)));
    const Offset total = W.cols();
    Offset kept = 0;
    while (kept < total && eigen.eigenvalues()(total - 1 - kept) > shortest * shortest) ++kept;
    const Small E = eigen.eigenvectors().rightCols(kept);
    const Eigen::VectorXd length = eigen.eigenvalues().tail(kept).cwiseSqrt();
    W = kernels::product(W, to_matrix(E * length.cwiseInverse().asDiagonal()));
    return length.asDiagonal() * E.transpose();
  }

 private:
  std::vector<float> ones_;
  std::vector<Matrix> blocks_;
  Offset dimension_ = 0;
};

class KrylovIteration {
 public:
  KrylovIteration(const SymmetricOperator& B, const EigenOptions& options)
      : B_(B),
        options_(options),
        block_(std::clamp<Offset>(options.count / 2, std::min<Offset>(8, options.size),
                                  std::min<Offset>(64, options.size))),
        basis_(options.size) {
    Matrix start = random_block(options.size, block_, options.seed);
    basis_.orthonormalise(start, 0.0);
    basis_.orthonormalise(start, 0.0);
    basis_.append(std::move(start));
  }

  EigenPairs run(const OnSolve& listener) {
    EigenPairs result;
    while (result.steps < options_.steps) {
      ++result.steps;
      expand();
      const bool complete = next_.cols() == 0;
      if (!complete && basis_.dimension() < options_.count + block_) {
        extend();
        continue;
      }
      rayleigh_ritz();
      result.residual = complete ? 0.0 : residual();
      if (complete || result.residual <= options_.tolerance) {
        result.reason = StopReason::Converged;
        break;
      }
      const SolveEvent event{.step = result.steps,
                             .steps = options_.steps,
                             .objective = std::numeric_limits<double>::quiet_NaN(),
                             .residual = result.residual};
      if (listener && listener(event) == Next::Stop) {
        result.reason = StopReason::Stopped;
        break;
      }
      if (result.steps == options_.steps) break;
      if (basis_.dimension() + block_ > options_.count + 4 * block_) restart();
      extend();
    }
    return finish(std::move(result));
  }

 private:
  // One product with B; a new block column of T; the next block W and its coupling R.
  void expand() {
    next_ = B_(basis_.last_block());
    const Offset m = basis_.dimension();
    const Offset b = basis_.last();
    Small H = basis_.project_out(next_);
    scale_ = std::max(scale_, H.cwiseAbs().maxCoeff());
    const double shortest = 1e-6 * scale_;
    coupling_ = basis_.orthonormalise(next_, shortest);
    if (next_.cols() > 0) {  // once more: single precision leaves traces of V in W
      basis_.project_out(next_);
      coupling_ = basis_.orthonormalise(next_, 0.5) * coupling_;
    }
    T_.conservativeResize(m, m);
    T_.rightCols(b) = H;
    T_.bottomRows(b) = H.transpose();
  }

  void extend() { basis_.append(std::move(next_)); }

  void rayleigh_ritz() {
    const Eigensolver eigen((T_ + T_.transpose()) / 2);
    theta_ = eigen.eigenvalues().reverse();
    Y_ = eigen.eigenvectors().rowwise().reverse();
  }

  double residual() const {
    const Small R = coupling_ * Y_.bottomRows(basis_.last()).leftCols(options_.count);
    double worst = 0.0;
    for (Offset i = 0; i < options_.count; ++i) {
      worst = std::max(worst, R.col(i).norm() / std::max(theta_(i), 1e-300));
    }
    return worst;
  }

  // Keeps the leading Ritz vectors; T becomes diagonal, and the next block couples to all of them.
  void restart() {
    const Offset keep = std::min(options_.count + block_ / 2, basis_.dimension());
    basis_.replace_by(basis_.combine(Y_.leftCols(keep)));
    T_ = theta_.head(keep).asDiagonal();
  }

  EigenPairs finish(EigenPairs result) const {
    const double noise = 1e-10 * std::max(theta_(0), 0.0);
    Offset count = std::min<Offset>(options_.count, theta_.size());
    while (count > 0 && theta_(count - 1) <= noise) --count;
    result.values.assign(theta_.data(), theta_.data() + count);
    result.vectors = basis_.combine(Y_.leftCols(count));
    return result;
  }

  const SymmetricOperator& B_;
  EigenOptions options_;
  Offset block_;
  Basis basis_;
  Small T_;
  Matrix next_;
  Small coupling_;
  Eigen::VectorXd theta_;
  Small Y_;
  double scale_ = 0.0;
};

}  // namespace

EigenPairs leading_eigenpairs(const SymmetricOperator& B, const EigenOptions& options,
                              const OnSolve& listener) {
  if (options.count == 0) return {.values = {}, .vectors = Matrix(options.size, 0)};
  return KrylovIteration(B, options).run(listener);
}

}  // namespace sqmax
