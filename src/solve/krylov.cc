// Block Krylov iteration with thick restarts and full orthogonalisation.  docs/solvers/exact.md
//
//   V = [V_1 … V_s]   orthonormal basis, n × m, by blocks
//   T = Vᵀ B V        m × m;  T = Y Θ Yᵀ gives Ritz values Θ and vectors V Y
//   W R = B V_s − V VᵀB V_s   the next block and how it couples:  ‖B v_i − θ_i v_i‖ = ‖R y_i,s‖
//
// For B = AᵀA, σ² = θ, the gradient of ‖A − PQᵀ‖² in Q at Q = V σ^{1/2}, P = A V σ^{-1/2} has the
// columns r_i σ_i^{-1/2}, r_i = B v_i − θ_i v_i, beside AᵀP with the columns σ_i^{3/2} v_i:
//   residual² = Σ_i ‖r_i‖² / σ_i  /  Σ_i σ_i³
#include "solve/krylov.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "kernels/dense.h"
#include "solve/basis.h"
#include "solve/ritz.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 512;
constexpr Offset kRoom = 8;         // blocks beside the wanted pairs before a restart
constexpr double kFastest = 4.0;    // a product seldom shortens the residual by more
constexpr double kRounding = 1e-6;  // of sums in single precision
constexpr double kLongest = 100.0;  // products without a look, also if no residual is enough
constexpr double kAnywhere = 0.03;  // length of what is added to vectors to begin with

Matrix random_block(Offset rows, Offset cols, std::uint64_t seed) {
  Matrix block = Matrix::unwritten(rows, cols);
  parallel_blocks(rows, kRowsPerTask, [&](const Block& part) {
    for (Offset r = part.begin; r < part.end; ++r) {
      Random random(seed, Purpose::Start, static_cast<std::uint64_t>(r));
      for (float& value : block.row(r)) value = static_cast<float>(random.normal());
    }
  });
  return block;
}

// Vectors that are given, and some of every direction: a small residual tells that vectors are
// eigenvectors, but which ones are found depends on what the block has of them.
Matrix starting_block(const EigenOptions& options, Offset width, Matrix given) {
  Matrix block = random_block(options.size, width, options.seed);
  if (given.cols() != width) return block;
  const double share = kAnywhere / std::sqrt(static_cast<double>(options.size));
  kernels::axpy(static_cast<float>(share), block.values(), given.values());
  return given;
}

class KrylovIteration {
 public:
  KrylovIteration(const SymmetricOperator& B, const EigenOptions& options, Matrix given)
      : B_(B), options_(options), block_(block_width(options)), basis_(options.size) {
    Matrix start = starting_block(options, block_, std::move(given));
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
      if (result.steps < next_look_ && !is_complete() && !is_full() && result.steps < most) {
        extend();
        continue;
      }
      look(result);
      const SolveEvent event{.step = result.steps, .steps = most, .residual = result.residual};
      const Next next = listener ? listener(event) : Next::Continue;
      if (next == Next::Stop) result.reason = StopReason::Stopped;
      if (result.residual <= options_.tolerance) result.reason = StopReason::Converged;
      if (result.reason != StopReason::Iterations || result.steps == most) break;
      if (is_full()) restart();
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
    if (next_.cols() > 0) {
      if (leaves_traces(H)) basis_.project_out(next_);
      coupling_ = basis_.orthonormalise(next_, 0.5) * coupling_;
    }
    T_.conservativeResize(m, m);
    T_.rightCols(b) = H;
    T_.bottomRows(b) = H.transpose();
  }

  // Rounding of B V_s, and what V_s itself has left of the blocks before it (δ), leave some
  // (ε + δ) ‖VᵀB V_s‖ of V in what is left of it, and dividing by the lengths (those of the rows of
  // R) makes the more of that the shorter they are. So δ grows from block to block, until one is
  // projected off once more.
  bool leaves_traces(const Small& H) {
    const double shortest = coupling_.rowwise().norm().minCoeff();
    traces_ = (kRounding + traces_) * H.colwise().norm().maxCoeff() / shortest;
    if (traces_ <= options_.tolerance / 10.0) return false;
    traces_ = 0.0;
    return true;
  }

  void extend() { basis_.append(std::move(next_)); }

  bool is_complete() const { return next_.cols() == 0; }
  bool is_full() const { return basis_.dimension() + block_ > options_.count + kRoom * block_; }

  // The eigenvalues of T cost O(m³): they are looked at when the residual may be small enough.
  void look(EigenPairs& result) {
    rayleigh_ritz();
    const bool enough = basis_.dimension() >= std::min(options_.count, options_.size);
    result.residual = is_complete() ? 0.0 : enough ? residual() : 1.0;
    const double to_go = std::log(result.residual / options_.tolerance) / std::log(kFastest);
    next_look_ = result.steps + 1 + static_cast<int>(std::min(std::max(0.0, to_go), kLongest));
  }

  // As many vectors as a restart keeps; without one, as many as are asked for.
  void rayleigh_ritz() {
    const Offset wanted = is_full() ? options_.count + block_ : options_.count;
    RitzPairs pairs = ritz_pairs((T_ + T_.transpose()) / 2, std::min(wanted, T_.rows()));
    theta_ = std::move(pairs.values);
    Y_ = std::move(pairs.vectors);
  }

  double residual() const {
    const Small R = coupling_ * Y_.bottomRows(basis_.last_block().cols()).leftCols(options_.count);
    double gradient = 0.0;
    double size = 0.0;
    for (Offset i = 0; i < options_.count; ++i) {
      const double sigma = std::sqrt(std::max(theta_(i), 1e-300));
      gradient += R.col(i).squaredNorm() / sigma;
      size += sigma * sigma * sigma;
    }
    return std::sqrt(gradient / size);
  }

  // Keeps the leading Ritz vectors; T becomes diagonal, and the next block couples to all of them.
  void restart() {
    const Offset keep = std::min(options_.count + block_, basis_.dimension());
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
  double traces_ = 0.0;  // δ, of the last block
  int next_look_ = 0;
};

}  // namespace

// A block is as wide as the panels of sparse products like it.
Offset block_width(const EigenOptions& options) {
  const Offset wanted = options.count <= 64 ? 32 : 64;
  return std::min(wanted, options.size);
}

EigenPairs leading_eigenpairs(const SymmetricOperator& B, const EigenOptions& options,
                              const OnSolve& listener, Matrix start) {
  if (options.count == 0) return {.values = {}, .vectors = Matrix(options.size, 0)};
  return KrylovIteration(B, options, std::move(start)).run(listener);
}

}  // namespace sqmax
