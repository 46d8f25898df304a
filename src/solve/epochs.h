// Epochs: passes over the data that move both sides by gradient steps.   docs/solvers/adam.md
#pragma once

#include <memory>

#include "sqmax/solve/solve.h"

#include "solve/moving_side.h"

namespace sqmax {

/// Both sides on their way.
struct MovingSides {
  MovingSide users;
  MovingSide items;
};

class Epochs {
 public:
  virtual ~Epochs() = default;
  /// One pass, `number` from 1. Returns the sum of the loss over its observed pairs, each with the
  /// vectors as they were when it was looked at, without decay and extras.
  virtual double run(int number) = 0;
  /// The steps so far; settable, for a run that goes on.
  Offset& now() { return now_; }

 protected:
  Offset now_ = 0;
};

/// Of a sampled loss: steps by batches of observed pairs.
std::unique_ptr<Epochs> sampled_epochs(const ScoreLoss& loss, CsrView by_user, std::uint64_t seed,
                                       MovingSides& sides);

/// Of a squared loss: one step along the whole gradient. The result is the whole objective.
std::unique_ptr<Epochs> squared_epochs(const Problem& problem, MovingSides& sides);

/// Of a full loss: steps by batches of users, each with all items.
std::unique_ptr<Epochs> full_epochs(const ScoreLoss& loss, CsrView by_user, std::uint64_t seed,
                                    MovingSides& sides);

}  // namespace sqmax
