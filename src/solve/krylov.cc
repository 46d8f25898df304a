// Block Krylov iteration with thick restarts and full orthogonalisation.  docs/solvers/exact.md
//
//   V = [V_1 … V_s]   orthonormal basis, n × m, by blocks
//   T = Vᵀ B V        m × m;  T = Y Θ Yᵀ gives Ritz values Θ and vectors V Y
//   W R = B V_s − V VᵀB V_s   the next block and how it couples:  ‖B v_i − θ_i v_i‖ = ‖R y_i,s‖
#include "solve/krylov.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sqmax/core/random.h"

#include "solve/basis.h"

namespace sqmax {
namespace {

using Eigensolver = Eigen::SelfAdjointEigenSolver<Small>;

Matrix random_block(Offset rows, Offset cols, std::uint64_t seed) {
  Matrix block(rows, cols);
  for (Offset r = 0; r < rows; ++r) {
    Random random(seed, Purpose::Start, static_cast<std::uint64_t>(r));
    for (float& value : block.row(r)) value = static_cast<float>(random.normal());
  }
  return block;
}

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
    const auto until_full = static_cast<int>(options_.count / block_) + 2;
    const int most = until_full + options_.steps;
    while (result.steps < most) {
      ++result.steps;
      expand();
      const bool complete = next_.cols() == 0;
      if (!complete && basis_.dimension() < options_.count + block_) {
        extend();
        continue;
      }
      rayleigh_ritz();
      result.residual = complete ? 0.0 : residual();
      const SolveEvent event{.step = result.steps, .steps = most, .residual = result.residual};
      const Next next = listener ? listener(event) : Next::Continue;
      if (next == Next::Stop) result.reason = StopReason::Stopped;
      if (complete || result.residual <= options_.tolerance) result.reason = StopReason::Converged;
      if (result.reason != StopReason::Iterations || result.steps == most) break;
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
    const Offset b = basis_.last_block().cols();
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
    const Small R = coupling_ * Y_.bottomRows(basis_.last_block().cols()).leftCols(options_.count);
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
