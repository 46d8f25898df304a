// Dense kernels: operands and amounts of work. Each kernel is called in one place.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "sqmax/core/matrix.h"
#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "kernels/cholesky.h"
#include "kernels/dense.h"
#include "kernels/score_block.h"
#include "kernels/tall.h"
#include "roofline/kernel_cases.h"

namespace sqmax::bench {
namespace {

constexpr Offset kTallRows = 32768;  // users or items of a side
constexpr Offset kSystems = 1024;    // rows of a half-step, with a system each
constexpr Offset kSystemsTask = 32;  // as many share a workspace
constexpr Offset kUpdateRows = 64;   // vectors that a half-step adds to a system at a time
constexpr Index kPanels = 64;        // 2048 items
constexpr Index kBlockUsers = 64;    // as ranking takes them
constexpr Offset kUserBlocks = 16;   // blocks of users, a task each

KernelCase gram_case(Index rank) {
  const auto X = std::make_shared<Matrix>(spread_matrix(kTallRows, rank));
  const auto w = std::make_shared<std::vector<float>>(at(kTallRows), 0.5f);
  return {.kernel = "gram",
          .rank = rank,
          .bound = "FMA",
          .work = static_cast<double>(kTallRows) * rank * (rank + 1),
          .run = [=] { kernels::gram(*X, *w); }};
}

KernelCase cross_case(Index rank) {
  const auto X = std::make_shared<Matrix>(spread_matrix(kTallRows, rank));
  const auto w = std::make_shared<std::vector<float>>(at(kTallRows), 0.5f);
  return {.kernel = "cross",
          .rank = rank,
          .bound = "FMA",
          .work = 2.0 * static_cast<double>(kTallRows) * rank * rank,
          .run = [=] { kernels::cross(*X, *w, *X); }};
}

KernelCase add_product_case(Index rank) {
  const auto X = std::make_shared<Matrix>(spread_matrix(kTallRows, rank));
  const auto C = std::make_shared<Matrix>(spread_matrix(rank, rank));
  const auto Y = std::make_shared<Matrix>(kTallRows, rank);
  return {.kernel = "add_product",
          .rank = rank,
          .bound = "FMA",
          .work = 2.0 * static_cast<double>(kTallRows) * rank * rank,
          .run = [=] { kernels::add_product(1.0f, *X, *C, Y->view()); }};
}

// A += Fᵀ F of one row's gathered vectors, upper triangle: what `als` does most.
// Rows fill whole cache lines, as those of a half-step do.
KernelCase update_case(Index rank) {
  const Offset cols = kernels::whole_lines(rank);
  const auto F = std::make_shared<Matrix>(spread_matrix(kUpdateRows, cols));
  return {.kernel = "multiply_add, rank-64 update",
          .rank = rank,
          .bound = "FMA",
          .work = static_cast<double>(kSystems * kUpdateRows) * rank * (rank + 1),
          .run = [=] {
            parallel_blocks(kSystems, kSystemsTask, [&](const Block& block) {
              Matrix A(rank, cols);
              for (Offset s = block.begin; s < block.end; ++s) {
                kernels::multiply_add(1.0f, kernels::transposed(*F), F->values().data(), cols,
                                      kUpdateRows, kernels::panel(A.view()),
                                      kernels::Triangle::Upper);
              }
            });
          }};
}

// Copying A back before each solve is part of the time: a half-step builds its system, too.
KernelCase cholesky_case(Index rank) {
  const auto A = std::make_shared<Matrix>(rank, kernels::whole_lines(rank));
  for (Offset d = 0; d < rank; ++d) {
    for (Offset e = 0; e < rank; ++e) (*A)(d, e) = d == e ? static_cast<float>(rank) : 0.5f;
  }
  const double solve = std::pow(rank, 3) / 3.0 + 2.0 * std::pow(rank, 2);
  return {.kernel = "cholesky_solve",
          .rank = rank,
          .bound = "FMA",
          .work = static_cast<double>(kSystems) * solve,
          .run = [=] {
            parallel_blocks(kSystems, kSystemsTask, [&](const Block& block) {
              Matrix system(rank, A->cols());
              std::vector<float> b(at(rank));
              for (Offset s = block.begin; s < block.end; ++s) {
                std::ranges::copy(A->values(), system.values().begin());
                std::ranges::fill(b, 1.0f);
                kernels::cholesky_solve(system.view(), b);
              }
            });
          }};
}

// One score in a thousand passes the threshold, as when lists are nearly full.
KernelCase score_case(Index rank) {
  const auto users = std::make_shared<Matrix>(spread_matrix(kUserBlocks * kBlockUsers, rank));
  const auto panels =
      std::make_shared<Matrix>(spread_matrix(kPanels, Offset{1 + rank} * kPanelItems));
  const auto threshold = static_cast<float>(3.1 * std::sqrt(rank + 1.0));
  return {.kernel = "score_block",
          .rank = rank,
          .bound = "FMA",
          .work = 2.0 * static_cast<double>(users->rows()) * kPanels * kPanelItems * rank,
          .run = [=] {
            parallel_blocks(users->rows(), kBlockUsers, [&](const Block& block) {
              const std::vector<float> thresholds(at(kBlockUsers), threshold);
              std::vector<float> scores(at(Offset{kBlockUsers} * kPanelItems));
              std::vector<std::uint32_t> above(at(kBlockUsers));
              for (Index p = 0; p < kPanels; ++p) {
                score_block({.users = users->row(block.begin).data(),
                             .panel = panels->row(p).data(),
                             .thresholds = thresholds.data(),
                             .user_count = kBlockUsers,
                             .rank = rank,
                             .scores = scores.data(),
                             .above = above.data()});
              }
            });
          }};
}

}  // namespace

// Evenly spread with variance 1, by a walk of the golden ratio: quicker than drawing.
Matrix spread_matrix(Offset rows, Offset cols) {
  Matrix X(rows, cols);
  std::uint32_t state = 1;
  for (float& value : X.values()) {
    state += 2654435769U;
    value = static_cast<float>(static_cast<std::int32_t>(state)) * (1.732f / 2147483648.0f);
  }
  return X;
}

std::vector<KernelMaker> dense_kernels() {
  return {{"gram", gram_case},
          {"cross", cross_case},
          {"add_product", add_product_case},
          {"multiply_add", update_case},
          {"cholesky_solve", cholesky_case},
          {"score_block", score_case}};
}

}  // namespace sqmax::bench
