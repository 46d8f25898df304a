// TimeCut: order statistics by counting, so that times are read in order and never copied.
#include "data/time_cut.h"

#include <algorithm>
#include <bit>

namespace sqmax {
namespace {

constexpr int kDigitBits = 16;

// The time of the last of the first `share` of all pairs.
std::int64_t time_at(std::span<const std::int64_t> times, double share) {
  const auto count = static_cast<double>(times.size());
  const auto rank = std::clamp(std::floor(share * count + kShareSlack), 1.0, count) - 1.0;
  return value_at_rank(times, static_cast<std::uint64_t>(rank));
}

}  // namespace

// Digit by digit from the highest: the digit in which the rank falls is fixed, and the next one is
// counted among the values that have all digits so far.
std::int64_t value_at_rank(std::span<const std::int64_t> values, std::uint64_t rank) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const auto base = static_cast<std::uint64_t>(*least);
  const auto range = static_cast<std::uint64_t>(*most) - base;
  int shift = static_cast<int>(std::bit_width(range));
  std::uint64_t known = 0;  // the digits above `shift`
  std::vector<std::uint64_t> counts(std::size_t{1} << kDigitBits);
  while (shift > 0) {
    const int above = shift;
    shift = std::max(shift - kDigitBits, 0);
    std::fill(counts.begin(), counts.end(), 0);
    for (const std::int64_t value : values) {
      const std::uint64_t distance = static_cast<std::uint64_t>(value) - base;
      const bool matches = above == 64 || distance >> above == known;
      if (matches) ++counts[(distance >> shift) & ((std::uint64_t{1} << (above - shift)) - 1)];
    }
    std::uint64_t digit = 0;
    while (rank >= counts[digit]) rank -= counts[digit++];
    known = (known << (above - shift)) | digit;
  }
  return static_cast<std::int64_t>(base + known);
}

void TimeCut::label(std::span<const std::int64_t> times, std::span<const Index> items,
                    std::span<Label> labels) const {
  const bool trained =
      std::any_of(times.begin(), times.end(), [this](std::int64_t t) { return t <= last_train; });
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = !trained || !trained_items[at(items[i])] ? Label::Dropped
                : times[i] <= last_train                 ? Label::Train
                : times[i] <= last_valid                 ? Label::Valid
                                                         : Label::Test;
  }
}

TimeCut time_cut(const Pairs& pairs, const SplitRatios& ratios) {
  TimeCut cut{.last_train = time_at(pairs.times, ratios.train),
              .last_valid = time_at(pairs.times, ratios.train + ratios.valid),
              .trained_items = std::vector<bool>(at(pairs.items))};
  for (std::size_t i = 0; i < pairs.indices.size(); ++i) {
    if (pairs.times[i] <= cut.last_train) cut.trained_items[at(pairs.indices[i])] = true;
  }
  return cut;
}

}  // namespace sqmax
