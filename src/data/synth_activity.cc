// Activity: e_u = flat + steep·w_u with Σ e_u given and max e_u bounded; w_u is log-normal.
#include "data/synth_activity.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr double kSigma = 1.1;         // Gini of about 0.55, as in film ratings
constexpr double kMostOfItems = 0.6;   // the share of the items that the greatest user has
constexpr Offset kUsualLeast = 5;      // most public data are 5-cores
constexpr Offset kPerBlock = 1 << 16;  // interactions

}  // namespace

Activity::Activity(const SynthOptions& options) : options_(options) {
  const Offset mean = options.interactions / options.users;
  users_per_block_ = std::max<Offset>(1, kPerBlock / mean);
  least_ = std::clamp<Offset>(mean / 2, 1, kUsualLeast);
  extra_ = options.interactions - least_ * options.users;
  const double equal = static_cast<double>(extra_) / options.users;
  const auto room = static_cast<double>(options.items - least_);
  const double mean_weight = std::exp(kSigma * kSigma / 2.0);
  heaviest_ = mean_weight * std::max(1.0, kMostOfItems * room / std::max(equal, 1e-9));

  const Offset block_count = (options.users + users_per_block_ - 1) / users_per_block_;
  std::vector<double> sums(at(block_count));
  std::vector<double> peaks(at(block_count));
  parallel_blocks(options.users, users_per_block_, [&](const Block& block) {
    for (Offset u = block.begin; u < block.end; ++u) {
      const double w = weight(u);
      sums[at(block.number)] += w;
      peaks[at(block.number)] = std::max(peaks[at(block.number)], w);
    }
  });
  weight_before_.assign(1, 0.0);
  for (const double sum : sums) weight_before_.push_back(weight_before_.back() + sum);

  // All of the extra in proportion to the weights, unless the greatest user would pass the number
  // of items; then a blend with equal shares that just avoids it.
  const double per_weight = static_cast<double>(extra_) / weight_before_.back();
  const double peak = per_weight * *std::max_element(peaks.begin(), peaks.end());
  const double blend = peak <= room ? 1.0 : (room - equal) / (peak - equal);
  flat_ = (1.0 - blend) * equal;
  steep_ = blend * per_weight;
}

double Activity::weight(Offset user) const {
  Random random(options_.seed, Purpose::Synth, static_cast<std::uint64_t>(user));
  return std::min(std::exp(kSigma * random.normal()), heaviest_);
}

Offset Activity::extra_before(Offset block) const {
  if (block == blocks()) return extra_;
  const auto users = static_cast<double>(block * users_per_block_);
  return std::llround(flat_ * users + steep_ * weight_before_[at(block)]);
}

std::vector<Index> Activity::sizes(const Block& block) const {
  const Offset end = extra_before(block.number + 1);
  Offset before = extra_before(block.number);
  auto users = static_cast<double>(block.begin);
  double weights = weight_before_[at(block.number)];
  std::vector<Index> sizes;
  sizes.reserve(at(block.end - block.begin));
  for (Offset u = block.begin; u < block.end; ++u) {
    users += 1.0;
    weights += weight(u);
    const Offset rounded = std::llround(flat_ * users + steep_ * weights);
    const Offset after = u + 1 == block.end ? end : std::clamp(rounded, before, end);
    sizes.push_back(static_cast<Index>(std::min<Offset>(least_ + after - before, options_.items)));
    before = after;
  }
  return sizes;
}

}  // namespace sqmax
