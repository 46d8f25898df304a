// Fold-in is one row of a half-step, with the row's terms taken from the model's law.
#include "sqmax/solve/fold_in.h"

#include <numeric>

#include "sqmax/core/parallel.h"

#include "solve/half_step.h"

namespace sqmax {
namespace {

constexpr Offset kUsersPerTask = 32;

}  // namespace

struct FoldIn::State {
  explicit State(const Model& trained)
      : model(trained),
        items(spell_out(trained.law, trained.seen).items),
        fixed(fix_side(items, trained.law.users.interaction, trained.law.target, trained.Q.view())),
        item_weight(std::accumulate(items.weight.begin(), items.weight.end(), 0.0)) {}

  // The same numbers that spell_out() gives a training row of this history.
  RowTerms terms(std::span<const Index> history) const {
    const SideLaw& law = model.law.users;
    const auto degree = static_cast<double>(history.size());
    double curvature = 0.0;
    for (const Index y : history) curvature += items.curvature[at(y)];
    const double row_weight = law.weight(degree) * item_weight + law.curvature(degree) * curvature;
    return {.weight = static_cast<float>(law.weight(degree)),
            .lean = static_cast<float>(law.lean(degree)),
            .curvature = static_cast<float>(law.curvature(degree)),
            .pull = static_cast<float>(law.pull(degree)),
            .ridge = static_cast<float>(law.ridge(degree) + model.law.weighted_ridge * row_weight)};
  }

  const Model& model;
  SideTerms items;
  FixedSide fixed;
  double item_weight;
};

FoldIn::FoldIn(const Model& model) : state_(std::make_unique<State>(model)) {}
FoldIn::~FoldIn() = default;
FoldIn::FoldIn(FoldIn&&) noexcept = default;
FoldIn& FoldIn::operator=(FoldIn&&) noexcept = default;

void FoldIn::user(std::span<const Index> history, std::span<float> p) const {
  if (p.empty()) return;
  RowWorkspace workspace(state_->fixed.F.cols);
  solve_row(state_->fixed, state_->terms(history), history, workspace, p);
}

Matrix FoldIn::users(CsrView histories) const {
  Matrix P(histories.rows, state_->fixed.F.cols);
  if (P.cols() == 0) return P;
  parallel_blocks(histories.rows, kUsersPerTask, [&](const Block& block) {
    RowWorkspace workspace(P.cols());
    for (Offset x = block.begin; x < block.end; ++x) {
      const auto history = histories.row(static_cast<Index>(x));
      solve_row(state_->fixed, state_->terms(history), history, workspace, P.row(x));
    }
  });
  return P;
}

}  // namespace sqmax
