// TimeCut: one cut in time for everybody.       docs/evaluation.md
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/split_rows.h"

namespace sqmax {

/// Pairs train up to one moment, validate up to another and test from then on. Nothing can be said
/// of a user or an item before it is seen: later pairs of those that never train are dropped.
struct TimeCut {
  std::int64_t last_train = 0;
  std::int64_t last_valid = 0;
  std::vector<bool> trained_items = {};

  /// One user's pairs.
  void label(std::span<const std::int64_t> times, std::span<const Index> items,
             std::span<Label> labels) const;
};

/// The moments that divide all pairs by the ratios.
TimeCut time_cut(const Pairs& pairs, const SplitRatios& ratios);

/// The value that `rank` others precede in ascending order, found in passes through all of them.
std::int64_t value_at_rank(std::span<const std::int64_t> values, std::uint64_t rank);

}  // namespace sqmax
