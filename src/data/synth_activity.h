// Activity: how many items each synthetic user has.
#pragma once

#include <vector>

#include "sqmax/core/parallel.h"
#include "sqmax/data/synth.h"

namespace sqmax {

/// Log-normal above a minimum, summing to exactly the interactions asked for. Keeps one number per
/// block of users; a user's own is computed when it is wanted.
class Activity {
 public:
  explicit Activity(const SynthOptions& options);

  Offset users_per_block() const { return users_per_block_; }
  Offset blocks() const { return static_cast<Offset>(weight_before_.size()) - 1; }

  /// The sizes of the users of a block, in order.
  std::vector<Index> sizes(const Block& block) const;

 private:
  double weight(Offset user) const;
  Offset extra_before(Offset block) const;

  SynthOptions options_;
  Offset users_per_block_ = 1;
  Offset least_ = 1;                   ///< every user has so many
  Offset extra_ = 0;                   ///< and all users together so many more:
  double heaviest_ = 0.0;              ///< no weight is above this
  double flat_ = 0.0;                  ///< flat_ + steep_ · weight(u) each, rounded
  double steep_ = 0.0;                 ///< so that the sums up to every user are right
  std::vector<double> weight_before_;  ///< block → sum of weights of earlier users
};

}  // namespace sqmax
