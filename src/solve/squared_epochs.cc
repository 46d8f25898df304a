// Epochs of a squared loss: the whole gradient, from the normal equations of all rows.
// docs/solvers/adam.md
//
//   ∂L/∂p_x = 2 (A_x p_x − b_x)   with the other side as it is; of items likewise   (als.md)
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/elementwise.h"
#include "solve/epochs.h"
#include "solve/interaction.h"
#include "solve/row_system.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 64;

/// One side's gradient at both sides as they are.
Matrix gradient_of(const SideTerms& own, const SideTerms& other, double target, CsrView observed,
                   ConstMatrix F, ConstMatrix X) {
  FixedSide side = fix_side(other, own.interaction, target, F);
  if (other.interaction != 0.0) side.push = tangent_push(own, other, F, X);
  Matrix gradient(X.rows, X.cols);
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    std::vector<float> b(at(X.cols));
    for (Offset r = block.begin; r < block.end; ++r) {
      const RowTerms terms = row_terms(own, r);
      const RowSystem system(side, terms, observed.row(static_cast<Index>(r)));
      system.right_side(b);
      system.multiply(X.row(r), gradient.row(r));
      kernels::axpy(-1.0f, b, gradient.row(r));
      kernels::scale(2.0f, gradient.row(r));
    }
  });
  return gradient;
}

void move_all(MovingSide& side, Offset now, Matrix& gradient) {
  parallel_blocks(gradient.rows(), kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) side.move(r, now, gradient.row(r));
  });
}

class SquaredEpochs final : public Epochs {
 public:
  SquaredEpochs(const Problem& problem, MovingSides& sides) : problem_(problem), sides_(sides) {}

  double run(int number) override {
    const QuadraticForm& form = problem_.form;
    const ConstMatrix P = sides_.users.vectors();
    const ConstMatrix Q = sides_.items.vectors();
    Matrix along_P = gradient_of(form.users, form.items, form.target, problem_.by_user, Q, P);
    Matrix along_Q = gradient_of(form.items, form.users, form.target, problem_.by_item, P, Q);
    move_all(sides_.users, number, along_P);
    move_all(sides_.items, number, along_Q);
    return objective(form, problem_.by_user, P, Q).total();
  }

 private:
  const Problem& problem_;
  MovingSides& sides_;
};

}  // namespace

std::unique_ptr<Epochs> squared_epochs(const Problem& problem, MovingSides& sides) {
  return std::make_unique<SquaredEpochs>(problem, sides);
}

}  // namespace sqmax
