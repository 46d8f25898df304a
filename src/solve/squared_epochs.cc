// Epochs of a squared loss: one step along the whole gradient.            docs/solvers/adam.md
#include "sqmax/core/parallel.h"

#include "kernels/elementwise.h"
#include "solve/epochs.h"
#include "solve/joint.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 64;

void move_all(MovingSide& side, Offset now, Matrix& half_gradient) {
  parallel_blocks(half_gradient.rows(), kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      kernels::scale(2.0f, half_gradient.row(r));
      side.move(r, now, half_gradient.row(r));
    }
  });
}

class SquaredEpochs final : public Epochs {
 public:
  SquaredEpochs(const Problem& problem, MovingSides& sides)
      : problem_(problem),
        sides_(sides),
        gradient_{.P = Matrix(problem.by_user.rows, sides.users.vectors().cols),
                  .Q = Matrix(problem.by_user.cols, sides.items.vectors().cols)} {}

  double run(int /*number*/) override {
    ++now_;
    const ConstMatrix P = sides_.users.vectors();
    const ConstMatrix Q = sides_.items.vectors();
    half_gradient(problem_, P, Q, gradient_);
    move_all(sides_.users, now_, gradient_.P);
    move_all(sides_.items, now_, gradient_.Q);
    return objective(problem_.form, problem_.by_user, P, Q).total();
  }

 private:
  const Problem& problem_;
  MovingSides& sides_;
  Joint gradient_;
};

}  // namespace

std::unique_ptr<Epochs> squared_epochs(const Problem& problem, MovingSides& sides) {
  return std::make_unique<SquaredEpochs>(problem, sides);
}

}  // namespace sqmax
