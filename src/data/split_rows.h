// RowSplitter: the splits that look at one user at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sqmax/core/random.h"
#include "sqmax/data/split.h"

namespace sqmax {

/// Where a pair goes. The first three are the Parts.
enum class Label : std::uint8_t { Train, Valid, Test, History, Dropped };

/// 0.29·100 is a little less than 29: shares of whole numbers are rounded down after this.
inline constexpr double kShareSlack = 1e-9;

template <class T>
std::span<T> row_of(std::span<T> column, const Pairs& pairs, Index user) {
  const auto begin = at(pairs.offsets[at(user)]);
  return column.subspan(begin, at(pairs.offsets[at(user) + 1]) - begin);
}

/// Empty without a time column.
inline std::span<const std::int64_t> times_of(const Pairs& pairs, Index user) {
  if (pairs.times.empty()) return {};
  return row_of(pairs.times.span(), pairs, user);
}

/// How many of a user's items are held out.
struct HeldOut {
  std::size_t valid = 0;
  std::size_t test = 0;
};

/// ⌊ratio·n⌋ each, at least one each from three items on, and always one left to train.
HeldOut held_out(std::size_t count, const SplitRatios& ratios);

/// Ratio, LeaveOneOut, UserTime and Strong. Keeps scratch memory from row to row.
class RowSplitter {
 public:
  explicit RowSplitter(const SplitOptions& options) : options_(options) {}

  /// `labels` are Train on entry; `times` is empty or as long.
  void label(Index user, std::span<const std::int64_t> times, std::span<Label> labels);

 private:
  void label_share(Random& random, std::span<const std::int64_t> times, std::span<Label> labels);
  void label_strong(Random& random, std::span<Label> labels);
  /// The last `count` of order_ are the ones to hold out, the very last first.
  void shuffle_last(Random& random, std::size_t size, std::size_t count);
  void sort_by_time(std::span<const std::int64_t> times);

  SplitOptions options_;
  std::vector<std::size_t> order_;
};

}  // namespace sqmax
