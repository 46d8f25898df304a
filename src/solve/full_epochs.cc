// Epochs of a full loss.                                               docs/solvers/adam.md
//
// A step takes the next B users of a random order; S = P_b Qᵀ holds all their scores, the loss
// turns it into its slopes G, and
//   ∂/∂P_b = c G Q,   ∂/∂Q = c Gᵀ P_b,   c = (M/B)/D: one step estimates the mean over all pairs
#include <algorithm>
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/elementwise.h"
#include "solve/epochs.h"
#include "solve/order.h"
#include "solve/score_panels.h"

namespace sqmax {
namespace {

constexpr Offset kUsersPerTask = 16;
constexpr Offset kItemsPerTask = 64;
constexpr Offset kMostScores = Offset{1} << 25;  // of a batch: 128 MB

class FullEpochs final : public Epochs {
 public:
  FullEpochs(const ScoreLoss& loss, CsrView by_user, std::uint64_t seed, MovingSides& sides)
      : loss_(loss),
        by_user_(by_user),
        seed_(seed),
        sides_(sides),
        batch_(
            std::clamp<Offset>(kMostScores / std::max<Offset>(by_user.cols, 1), 1,
                               std::min<Offset>(pairs_of_step(loss, by_user.rows), by_user.rows))),
        P_(batch_, sides.users.vectors().cols),
        scores_(batch_, by_user.cols),
        values_(at(batch_)) {}

  double run(int number) override {
    const Order order(by_user_.rows, seed_, number);
    double sum = 0.0;
    for (Offset begin = 0; begin < by_user_.rows; begin += batch_) {
      const Offset end = std::min<Offset>(begin + batch_, by_user_.rows);
      users_.clear();
      for (Offset place = begin; place < end; ++place) {
        const auto x = static_cast<Index>(order(place));
        if (by_user_.row_size(x) > 0) users_.push_back(x);
      }
      if (!users_.empty()) sum += step();
    }
    return sum;
  }

 private:
  double step() {
    ++now_;
    const auto count = static_cast<Offset>(users_.size());
    panels_.pack(sides_.items.vectors());
    const auto pairs = static_cast<double>(by_user_.nnz());
    const auto factor = static_cast<float>(by_user_.rows / (static_cast<double>(batch_) * pairs));
    parallel_blocks(count, kUsersPerTask, [&](const Block& block) { score(block); });
    parallel_blocks(by_user_.cols, kItemsPerTask,
                    [&](const Block& block) { sum_items(block, factor); });
    move_users(factor);
    move_items();
    double value = 0.0;
    for (Offset b = 0; b < count; ++b) value += values_[at(b)];
    return value;
  }

  void score(const Block& block) {
    for (Offset b = block.begin; b < block.end; ++b) {
      std::ranges::copy(sides_.users.vectors().row(users_[at(b)]), P_.row(b).begin());
    }
    panels_.score(P_.view().middle_rows(block.begin, block.end),
                  scores_.view().middle_rows(block.begin, block.end));
    for (Offset b = block.begin; b < block.end; ++b) {
      values_[at(b)] = loss_.full(by_user_.row(users_[at(b)]), scores_.row(b));
    }
  }

  void sum_items(const Block& block, float factor) {
    const MutableMatrix rows = gradient_.view().middle_rows(block.begin, block.end);
    std::fill(rows.values().begin(), rows.values().end(), 0.0f);
    kernels::multiply_add(factor, {scores_.values().data() + block.begin, 1, scores_.cols()},
                          P_.values().data(), P_.cols(), static_cast<Offset>(users_.size()),
                          kernels::panel(rows));
  }

  void move_users(float factor) {
    const auto count = static_cast<Offset>(users_.size());
    const ConstMatrix Q = sides_.items.vectors();
    parallel_blocks(count, kUsersPerTask, [&](const Block& block) {
      Matrix gradient(block.end - block.begin, Q.cols);
      add_product_in_parts(scores_.view().middle_rows(block.begin, block.end), Q, gradient.view());
      kernels::scale(factor, gradient.values());
      for (Offset b = block.begin; b < block.end; ++b) {
        sides_.users.move(users_[at(b)], now_, gradient.row(b - block.begin));
      }
    });
  }

  void move_items() {
    parallel_blocks(by_user_.cols, kItemsPerTask, [&](const Block& block) {
      for (Offset y = block.begin; y < block.end; ++y) {
        sides_.items.move(y, now_, gradient_.row(y));
      }
    });
  }

  const ScoreLoss& loss_;
  CsrView by_user_;
  std::uint64_t seed_;
  MovingSides& sides_;
  Offset batch_;
  std::vector<Index> users_;  // of the batch
  ScorePanels panels_;
  Matrix P_;       // of the batch, as it was before the step
  Matrix scores_;  // then slopes
  Matrix gradient_{by_user_.cols, P_.cols()};
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Epochs> full_epochs(const ScoreLoss& loss, CsrView by_user, std::uint64_t seed,
                                    MovingSides& sides) {
  return std::make_unique<FullEpochs>(loss, by_user, seed, sides);
}

}  // namespace sqmax
