// FoldIn: by the folder that the model's loss needs.
#include "sqmax/solve/fold_in.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sqmax/core/parallel.h"
#include "sqmax/loss/loss_spec.h"

#include "core/fail.h"
#include "solve/row_folder.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 32;

// A model without the name of a loss is one of a law.
bool is_of_scores(const Model& model) {
  const auto loss = std::ranges::find(losses(), model.loss, &LossSpec::name);
  return loss != losses().end() && !loss->is_squared();
}

// A model whose declaration does not fit its vectors may pull further than floats go.
void check_finite(std::span<const float> x) {
  if (std::ranges::all_of(x, [](float value) { return std::isfinite(value); })) return;
  fail(Errc::BadInput,
       "The vector of a history has numbers beyond 10^38: the model's vectors and "
       "its declaration do not fit each other.");
}

}  // namespace

struct FoldIn::State {
  State(const Model& model, Side side)
      : rank(model.Q.rank),
        folder(is_of_scores(model) ? score_folder(model, side) : squared_folder(model, side)) {}

  Offset rank;
  std::unique_ptr<RowFolder> folder;
};

FoldIn::FoldIn(const Model& model, Side side) : state_(std::make_unique<State>(model, side)) {}
FoldIn::~FoldIn() = default;
FoldIn::FoldIn(FoldIn&&) noexcept = default;
FoldIn& FoldIn::operator=(FoldIn&&) noexcept = default;

void FoldIn::row(std::span<const Index> history, std::span<float> x) const {
  if (x.empty()) return;
  const std::array<Offset, 2> offsets = {0, static_cast<Offset>(history.size())};
  const CsrView one{1, 0, offsets, history};
  state_->folder->fold(one, 0, 1, {x.data(), 1, state_->rank});
  check_finite(x);
}

Matrix FoldIn::rows(CsrView histories) const {
  Matrix X(histories.rows, state_->rank);
  if (X.cols() == 0) return X;
  parallel_blocks(histories.rows, kRowsPerTask, [&](const Block& block) {
    state_->folder->fold(histories, block.begin, block.end, X.view());
  });
  check_finite(X.values());
  return X;
}

bool FoldIn::respond(std::span<const Index> history, std::span<const float> d,
                     std::span<float> x) const {
  return x.empty() || state_->folder->respond(history, d, x);
}

}  // namespace sqmax
