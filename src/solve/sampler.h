// Sampler: the items that an observed pair is compared with.          docs/losses/README.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/core/random.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/score_loss.h"

#include "data/alias_table.h"
#include "solve/observed.h"

namespace sqmax {

class Sampler {
 public:
  /// `by_user`: what is observed, and how popular items are. It must outlive the sampler.
  Sampler(const Sampling& sampling, CsrView by_user);

  /// Fills `items` with draws for a user who has `observed`. `batch`: the items of a step, for
  /// Proposal::Batch. False if everything is observed and must be excluded.
  bool draw(const Observed& observed, std::span<const Index> batch, Random& random,
            std::span<Index> items) const;
  bool draw(std::span<const Index> observed, std::span<const Index> batch, Random& random,
            std::span<Index> items) const {
    return draw(Observed{.items = observed}, batch, random, items);
  }
  /// The same will be drawn soon: asks for what the first item will be compared with.
  void fetch(const Observed& observed, std::span<const Index> batch, Random random) const;

  /// log(N q_y)
  float log_share(Index item) const { return log_shares_.empty() ? 0.0f : log_shares_[at(item)]; }

 private:
  Index proposed(std::span<const Index> batch, Random& random) const;
  bool counts(const Observed& observed) const;
  Index unobserved(const Observed& observed, std::span<const Index> batch, Random& random) const;
  Index unobserved_by_weight(std::span<const Index> observed, Random& random) const;

  Sampling sampling_;
  Index items_;
  std::vector<double> weights_;  // n_y^power; none if uniform
  std::vector<float> log_shares_;
  std::vector<AliasSlice> table_;
};

}  // namespace sqmax
