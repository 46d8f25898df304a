// Fold-in is one row of a half-step, with the row's terms taken from the model's law.
#include "sqmax/solve/fold_in.h"

#include <numeric>
#include <utility>

#include "sqmax/core/parallel.h"

#include "solve/half_step.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 32;

}  // namespace

struct FoldIn::State {
  State(const Model& model, Side side)
      : law(side == Side::Users ? model.law.users : model.law.items),
        weighted_ridge(model.law.weighted_ridge),
        others(other_side(spell_out(model.law, model.seen), side)),
        fixed(fix_side(others, model.law.target,
                       side == Side::Users ? model.Q.view() : model.P.view())),
        other_weight(std::accumulate(others.weight.begin(), others.weight.end(), 0.0)) {}

  static SideTerms other_side(QuadraticForm form, Side side) {
    return std::move(side == Side::Users ? form.items : form.users);
  }

  // The same numbers that spell_out() gives a training row of this history.
  RowTerms terms(std::span<const Index> history) const {
    const auto degree = static_cast<double>(history.size());
    double curvature = 0.0;
    for (const Index j : history) curvature += others.curvature[at(j)];
    const double row_weight = law.weight(degree) * other_weight + law.curvature(degree) * curvature;
    return {.weight = static_cast<float>(law.weight(degree)),
            .curvature = static_cast<float>(law.curvature(degree)),
            .pull = static_cast<float>(law.pull(degree)),
            .ridge = static_cast<float>(law.ridge(degree) + weighted_ridge * row_weight)};
  }

  const SideLaw& law;
  double weighted_ridge;
  SideTerms others;
  FixedSide fixed;
  double other_weight;
};

FoldIn::FoldIn(const Model& model, Side side) : state_(std::make_unique<State>(model, side)) {}
FoldIn::~FoldIn() = default;
FoldIn::FoldIn(FoldIn&&) noexcept = default;
FoldIn& FoldIn::operator=(FoldIn&&) noexcept = default;

void FoldIn::row(std::span<const Index> history, std::span<float> x) const {
  if (x.empty()) return;
  RowWorkspace workspace(state_->fixed.F.cols);
  solve_row(state_->fixed, state_->terms(history), history, workspace, x);
}

Matrix FoldIn::rows(CsrView histories) const {
  Matrix X(histories.rows, state_->fixed.F.cols);
  if (X.cols() == 0) return X;
  parallel_blocks(histories.rows, kRowsPerTask, [&](const Block& block) {
    RowWorkspace workspace(X.cols());
    for (Offset r = block.begin; r < block.end; ++r) {
      const auto history = histories.row(static_cast<Index>(r));
      solve_row(state_->fixed, state_->terms(history), history, workspace, X.row(r));
    }
  });
  return X;
}

}  // namespace sqmax
