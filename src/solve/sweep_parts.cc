// Pieces of a spectral sweep.                                      docs/solvers/spectral.md
//
//   G = Fᵀ diag(v) F = E Λ Eᵀ,   g = τ Fᵀ b                   sums of the fixed side, by ranges
//   b_x = ρ_x Σ_{j∈I_x} ρ_j f_j + a_x g
//   p_x = E (u_x Λ + λ_x I)^{-1} Eᵀ b_x                       no factorisation of a row
#include "sqmax/solve/sweep_parts.h"

#include <algorithm>
#include <utility>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/sparse.h"
#include "kernels/tall.h"
#include "solve/spectrum.h"

namespace sqmax {

SideSums no_sums(Offset rank) {
  return {.gram = Matrix(rank, rank), .lean = std::vector<float>(at(rank))};
}

void add(const SideSums& part, SideSums& total) {
  kernels::axpy(1.0f, part.gram.values(), total.gram.values());
  kernels::axpy(1.0f, part.lean, total.lean);
}

SideSums sums_of(const SideTerms& terms, Offset begin, ConstMatrix F) {
  const auto rows_of = [&](const std::vector<float>& values) {
    return std::span(values).subspan(at(begin), at(F.rows));
  };
  return {.gram = kernels::gram(F, rows_of(terms.weight)),
          .lean = kernels::weighted_sum(F, rows_of(terms.lean))};
}

struct SharedSystem::Spectrum {
  sqmax::Spectrum of_gram;
  std::vector<float> centre;  // g
};

SharedSystem::SharedSystem(std::unique_ptr<Spectrum> spectrum, double target)
    : spectrum_(std::move(spectrum)) {
  for (float& value : spectrum_->centre) value *= static_cast<float>(target);
}
SharedSystem::SharedSystem(const SideSums& sums, double target)
    : SharedSystem(std::make_unique<Spectrum>(Spectrum{spectrum_of(sums.gram), sums.lean}),
                   target) {}
SharedSystem::SharedSystem(const SideTerms& solved, const SideTerms& fixed, const SideSums& sums,
                           double target, ConstMatrix F)
    : SharedSystem(
          std::make_unique<Spectrum>(Spectrum{
              spectrum_for(solved, sums.gram, RowInDouble(fixed, 0.0, target, F)), sums.lean}),
          target) {}
SharedSystem::~SharedSystem() = default;
SharedSystem::SharedSystem(SharedSystem&&) noexcept = default;
SharedSystem& SharedSystem::operator=(SharedSystem&&) noexcept = default;

void SharedSystem::solve(const SideTerms& solved, Offset begin, MutableMatrix X) const {
  solve_rows(spectrum_->of_gram, solved, begin, X, [&](Offset x, std::span<float> b) {
    kernels::axpy(solved.lean[at(x)], spectrum_->centre, b);
  });
}

struct PullingSide::State {
  kernels::DenseSide rows;
};

PullingSide::PullingSide() : state_(std::make_unique<State>()) {}
PullingSide::~PullingSide() = default;
PullingSide::PullingSide(PullingSide&&) noexcept = default;
PullingSide& PullingSide::operator=(PullingSide&&) noexcept = default;

void PullingSide::assign(ConstMatrix F, std::span<const float> pull) {
  state_->rows.assign(F, pull, kernels::Storage::Single);
}

namespace {

// Longer sums in single precision would lose what is left when the centre cancels most of them: a
// row that has nearly everything.
constexpr Offset kLongestSum = 4096;
constexpr Offset kRowsPerTask = 1024;

bool has_long_rows(CsrView R) {
  for (Index r = 0; r < R.rows; ++r) {
    if (R.row_size(r) > kLongestSum) return true;
  }
  return false;
}

// The rows of a matrix in pieces of at most kLongestSum.
struct Pieces {
  explicit Pieces(CsrView R) {
    for (Index r = 0; r < R.rows; ++r) {
      first.push_back(static_cast<Offset>(offsets.size()));
      const Offset end = R.offsets[at(r) + 1];
      Offset begin = R.offsets[at(r)];
      do {
        offsets.push_back(begin);
        begin += kLongestSum;
      } while (begin < end);
    }
    first.push_back(static_cast<Offset>(offsets.size()));
    offsets.push_back(R.offsets[at(R.rows)]);
  }
  std::vector<Offset> offsets;
  std::vector<Offset> first;  // piece of each row
};

}  // namespace

void PullingSide::add_to(CsrView R, std::span<const float> pull, MutableMatrix B) const {
  if (!has_long_rows(R)) {
    kernels::sparse_product({R.offsets, R.indices}, state_->rows, {.scale = pull, .add = true}, B);
    return;
  }
  const Pieces pieces(R);
  Matrix sums(static_cast<Offset>(pieces.offsets.size()) - 1, B.cols);
  kernels::sparse_product({pieces.offsets, R.indices}, state_->rows, {}, sums.view());
  parallel_blocks(R.rows, kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      for (Offset c = 0; c < B.cols; ++c) {
        double sum = 0.0;
        for (Offset i = pieces.first[at(r)]; i < pieces.first[at(r) + 1]; ++i) sum += sums(i, c);
        B(r, c) += static_cast<float>(sum * (pull.empty() ? 1.0f : pull[at(r)]));
      }
    }
  });
}

Csr middle_columns(CsrView matrix, Index begin, Index end) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Index r = 0; r < matrix.rows; ++r) {
    const auto row = matrix.row(r);
    const auto last = std::ranges::lower_bound(row, end);
    for (auto c = std::ranges::lower_bound(row, begin); c != last; ++c) {
      indices.push_back(*c - begin);
    }
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {matrix.rows, end - begin, std::move(offsets), std::move(indices)};
}

}  // namespace sqmax
