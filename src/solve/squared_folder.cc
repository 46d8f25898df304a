// Fold-in under a squared loss: one row of a half-step, with the row's terms taken from the model's
// law.                                                               docs/solvers/fold-in.md
#include <numeric>
#include <utility>

#include "kernels/dense.h"
#include "kernels/tall.h"
#include "solve/interaction.h"
#include "solve/row.h"
#include "solve/row_folder.h"

namespace sqmax {
namespace {

class SquaredFolder final : public RowFolder {
 public:
  SquaredFolder(const Model& model, Side side) : SquaredFolder(model, sides_of(model, side)) {}

  void fold(CsrView histories, Offset begin, Offset end, MutableMatrix X) const override {
    RowWorkspace workspace(X.cols);
    for (Offset r = begin; r < end; ++r) {
      solve(histories.row(static_cast<Index>(r)), workspace, X.row(r));
    }
  }

  // The system with d in place of its right-hand side: a g = d, ρ = 0, no push.
  bool respond(std::span<const Index> history, std::span<const float> d,
               std::span<float> x) const override {
    RowTerms row = terms(history);
    FixedSide side = coupling.rows() == 0 ? fixed : joined(row);
    side.centre.assign(d.begin(), d.end());
    side.asked = d;
    side.push.resize(0);
    row.lean = 1.0f;
    row.pull = 0.0f;
    RowWorkspace workspace(static_cast<Offset>(x.size()));
    solve_row(side, row, {history}, workspace, x);
    return true;
  }

 private:
  // The side of the new rows, and the fixed side.
  struct Sides {
    const SideLaw& law;
    SideTerms own;
    SideTerms other;
    ConstMatrix vectors;
    ConstMatrix F;
  };

  static Sides sides_of(const Model& model, Side side) {
    QuadraticForm form = spell_out(model.law, model.seen);
    if (side == Side::Users) {
      return {model.law.users, std::move(form.users), std::move(form.items), model.P.view(),
              model.Q.view()};
    }
    return {model.law.items, std::move(form.items), std::move(form.users), model.Q.view(),
            model.P.view()};
  }

  SquaredFolder(const Model& model, Sides sides)
      : law(sides.law),
        weighted_ridge(model.law.weighted_ridge),
        others(std::move(sides.other)),
        fixed(fix_side(others, sides.own.interaction, model.law.target, sides.F)),
        other_weight(std::accumulate(others.weight.begin(), others.weight.end(), 0.0)) {
    if (others.interaction == 0.0) return;
    coupling = kernels::gram(sides.F, others.weight);
    for (float& value : coupling.values()) value *= static_cast<float>(others.interaction);
    fixed.push = tangent_push(sides.own, others, sides.F, sides.vectors);
  }

  // The same numbers that spell_out() gives a training row of this history.
  RowTerms terms(std::span<const Index> history) const {
    const auto degree = static_cast<double>(history.size());
    double curvature = 0.0;
    for (const Index j : history) curvature += others.curvature[at(j)];
    const double row_weight = law.weight(degree) * other_weight + law.curvature(degree) * curvature;
    return {.weight = static_cast<float>(law.weight(degree)),
            .lean = static_cast<float>(law.lean(degree)),
            .curvature = static_cast<float>(law.curvature(degree)),
            .pull = static_cast<float>(law.pull(degree)),
            .ridge = static_cast<float>(law.ridge(degree) + weighted_ridge * row_weight)};
  }

  // If the rows hang together, s is the sum of the trained ones and u x of the new one:
  //   A x = b + u θB (s + u x),  that is, G − u θB in place of G
  void solve(std::span<const Index> history, RowWorkspace& workspace, std::span<float> x) const {
    const RowTerms row = terms(history);
    if (coupling.rows() == 0) {
      solve_row(fixed, row, {history}, workspace, x);
      return;
    }
    solve_row(joined(row), row, {history}, workspace, x);
  }

  FixedSide joined(const RowTerms& row) const {
    FixedSide side = fixed;
    kernels::axpy(-row.weight, coupling.values(), side.gram.values());
    side.taken.resize(at(coupling.rows()));
    for (Offset d = 0; d < coupling.rows(); ++d) side.taken[at(d)] += row.weight * coupling(d, d);
    side.in_double = nullptr;  // whose G is without the coupling
    return side;
  }

  const SideLaw& law;
  double weighted_ridge;
  SideTerms others;
  FixedSide fixed;
  double other_weight;
  Matrix coupling;  // θB, or nothing
};

}  // namespace

std::unique_ptr<RowFolder> squared_folder(const Model& model, Side side) {
  return std::make_unique<SquaredFolder>(model, side);
}

}  // namespace sqmax
