// RowSplitter: an order of the user's items; its end is held out.
#include "data/split_rows.h"

#include <algorithm>
#include <numeric>

namespace sqmax {
namespace {

constexpr std::size_t kFewest = 3;      // from so many items on, each part gets one
constexpr double kStrongHeldOut = 0.2;  // of a held-out user's items; the rest is history

std::size_t share_of(std::size_t count, double ratio) {
  return static_cast<std::size_t>(static_cast<double>(count) * ratio + kShareSlack);
}

std::size_t at_least_one(std::size_t count, double ratio) {
  const bool owed = count >= kFewest && ratio > 0.0;
  return std::max<std::size_t>(share_of(count, ratio), owed ? 1 : 0);
}

}  // namespace

HeldOut held_out(std::size_t count, const SplitRatios& ratios) {
  HeldOut held{at_least_one(count, ratios.valid), at_least_one(count, ratios.test)};
  while (held.valid + held.test > 0 && held.valid + held.test >= count) {
    --(held.valid > held.test ? held.valid : held.test);
  }
  return held;
}

void RowSplitter::label(Index user, std::span<const std::int64_t> times, std::span<Label> labels) {
  Random random(options_.seed, Purpose::Split, static_cast<std::uint64_t>(user));
  if (options_.kind == SplitKind::Strong) {
    label_strong(random, labels);
  } else {
    label_share(random, options_.kind == SplitKind::Ratio ? std::span<const std::int64_t>() : times,
                labels);
  }
}

void RowSplitter::label_share(Random& random, std::span<const std::int64_t> times,
                              std::span<Label> labels) {
  const std::size_t count = labels.size();
  const std::size_t one = count >= kFewest ? 1 : 0;
  const HeldOut held = options_.kind == SplitKind::LeaveOneOut ? HeldOut{one, one}
                                                               : held_out(count, options_.ratios);
  // Items of the same moment are in random order: the position in the file must not decide.
  shuffle_last(random, count, times.empty() ? held.valid + held.test : count);
  sort_by_time(times);
  for (std::size_t i = 0; i < held.valid + held.test; ++i) {
    labels[order_[count - 1 - i]] = i < held.test ? Label::Test : Label::Valid;
  }
}

// Each user draws its own lot, so the shares of the users are met on average.
void RowSplitter::label_strong(Random& random, std::span<Label> labels) {
  const double lot = random.uniform();
  const std::size_t count = labels.size();
  if (lot < options_.ratios.train || count < 2) return;
  const std::size_t held = std::max<std::size_t>(share_of(count, kStrongHeldOut), 1);
  const bool is_valid = lot < options_.ratios.train + options_.ratios.valid;
  shuffle_last(random, count, held);
  std::fill(labels.begin(), labels.end(), Label::History);
  for (std::size_t i = count - held; i < count; ++i) {
    labels[order_[i]] = is_valid ? Label::Valid : Label::Test;
  }
}

void RowSplitter::shuffle_last(Random& random, std::size_t size, std::size_t count) {
  order_.resize(size);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (std::size_t left = size; left > size - count && left > 1; --left) {
    std::swap(order_[left - 1], order_[random.below(left)]);
  }
}

void RowSplitter::sort_by_time(std::span<const std::int64_t> times) {
  if (times.empty()) return;
  std::stable_sort(order_.begin(), order_.end(),
                   [times](std::size_t a, std::size_t b) { return times[a] < times[b]; });
}

}  // namespace sqmax
