// Blocks of coordinates of a row, each minimised exactly with the others fixed.
// docs/solvers/subspace.md
//
//   s_j = f_j·x                                                      scores of the observed, kept
//   h = b_B − u (G x)_B − λ x_B − ω Σ_{j∈I} ω_j s_j f_jB             d, half the slope downwards
//   H = u G_BB + λ I + ω Σ_{j∈I} ω_j f_jB f_jBᵀ                      d × d
//   H δ = h,   x_B += δ,   s_j += f_jB·δ
#include "solve/subspace.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/parallel.h"

#include "kernels/cholesky.h"
#include "kernels/dense.h"
#include "solve/interaction.h"
#include "solve/pivots.h"
#include "solve/row.h"

namespace sqmax {
namespace {

constexpr Offset kGathered = 64;
constexpr Offset kRowsPerTask = 32;

struct Workspace {
  Workspace(Offset rank, Offset width)
      : H(width, width),
        diagonal(at(width)),
        gathered(kGathered, width),
        b(at(rank)),
        step(at(width)) {}
  Matrix H;
  std::vector<float> diagonal;  // of H, before it is factorised
  Matrix gathered;
  std::vector<float> b;
  std::vector<float> step;    // h, then δ
  std::vector<float> scores;  // s
};

class RowBlocks {
 public:
  RowBlocks(const FixedSide& fixed, const RowTerms& terms, std::span<const Index> observed,
            Workspace& work, std::span<float> x)
      : fixed_(fixed),
        terms_(terms),
        observed_(terms.curvature > 0.0f ? observed : std::span<const Index>()),
        work_(work),
        x_(x) {
    right_hand_side(fixed, terms, observed, work.b);
    work.scores.clear();
    for (const Index j : observed_) work.scores.push_back(kernels::dot(fixed.F.row(j), x));
  }

  void minimise(Offset begin, Offset width) {
    const std::span<float> step(work_.step.data(), at(width));
    // Without a ridge, H may be singular, or so near to it that rounding decides where the step
    // goes; one as small as rounding shortens it.
    float extra = 0.0f;
    for (const bool is_first : {true, false}) {
      slope(begin, step);
      const MutableMatrix H{work_.H.values().data(), width, width};
      curvature(begin, terms_.ridge + extra, H);
      const auto diagonal = kept_diagonal(H);
      extra = smallest_ridge(diagonal);
      if (kernels::cholesky_solve(H, step) != kernels::Solved::Yes) continue;
      if (is_first && !has_clear_pivots(H, diagonal)) continue;
      kernels::axpy(1.0f, step, x_.subspan(at(begin), at(width)));
      for (std::size_t n = 0; n < observed_.size(); ++n) {
        work_.scores[n] += kernels::dot(part(observed_[n], begin, width), step);
      }
      return;
    }
  }

 private:
  std::span<const float> kept_diagonal(ConstMatrix H) {
    for (Offset d = 0; d < H.rows; ++d) work_.diagonal[at(d)] = H.row(d)[at(d)];
    return std::span(work_.diagonal).first(at(H.rows));
  }

  std::span<const float> part(Index j, Offset begin, Offset width) const {
    return fixed_.F.row(j).subspan(at(begin), at(width));
  }

  void slope(Offset begin, std::span<float> h) const {
    for (std::size_t k = 0; k < h.size(); ++k) {
      const Offset row = begin + static_cast<Offset>(k);
      h[k] = work_.b[at(row)] - terms_.weight * kernels::dot(fixed_.gram.row(row), x_) -
             terms_.ridge * x_[at(row)];
    }
    for (std::size_t n = 0; n < observed_.size(); ++n) {
      const Index j = observed_[n];
      const float pull = terms_.curvature * fixed_.curvature[at(j)] * work_.scores[n];
      kernels::axpy(-pull, part(j, begin, static_cast<Offset>(h.size())), h);
    }
  }

  void curvature(Offset begin, float ridge, MutableMatrix H) const {
    for (Offset i = 0; i < H.rows; ++i) {
      const auto G = fixed_.gram.row(begin + i).subspan(at(begin), at(H.cols));
      std::transform(G.begin(), G.end(), H.row(i).begin(),
                     [u = terms_.weight](float value) { return u * value; });
      H(i, i) += ridge;
    }
    for (std::size_t first = 0; first < observed_.size(); first += at(kGathered)) {
      const auto some = observed_.subspan(first, std::min(at(kGathered), observed_.size() - first));
      const MutableMatrix rows{work_.gathered.values().data(), static_cast<Offset>(some.size()),
                               H.cols};
      for (std::size_t n = 0; n < some.size(); ++n) {
        const float root = std::sqrt(terms_.curvature * fixed_.curvature[at(some[n])]);
        const auto f = part(some[n], begin, H.cols);
        std::transform(f.begin(), f.end(), rows.row(static_cast<Offset>(n)).begin(),
                       [root](float value) { return root * value; });
      }
      kernels::multiply_add(1.0f, kernels::transposed(rows), rows.data, rows.cols, rows.rows,
                            kernels::panel(H), kernels::Triangle::Upper);
    }
  }

  const FixedSide& fixed_;
  const RowTerms& terms_;
  std::span<const Index> observed_;  // none if they have no curvature
  Workspace& work_;
  std::span<float> x_;
};

}  // namespace

void subspace_half_step(Offset width, const SideTerms& solved, const SideTerms& fixed,
                        double target, CsrView observed, ConstMatrix F, MutableMatrix X) {
  FixedSide side = fix_side(fixed, solved.interaction, target, F);
  if (fixed.interaction != 0.0) side.push = tangent_push(solved, fixed, F, X);
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    Workspace work(F.cols, width);
    for (Offset r = block.begin; r < block.end; ++r) {
      const RowTerms terms = row_terms(solved, r);
      const auto history = observed.row(static_cast<Index>(r));
      if (is_idle(terms, history)) {
        std::ranges::fill(X.row(r), 0.0f);
        continue;
      }
      RowBlocks row(side, terms, history, work, X.row(r));
      for (Offset begin = 0; begin < F.cols; begin += width) {
        row.minimise(begin, std::min(width, F.cols - begin));
      }
    }
  });
}

}  // namespace sqmax
