// Taste: draws with replacement until enough are distinct, which is drawing without replacement.
#include "data/synth_taste.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sqmax {
namespace {

// Zipf–Mandelbrot: pop(rank) ∝ (rank + shift)^−s, with a part of the mass equal for all, so that
// hardly an item stays unused.
constexpr double kExponent = 1.2;
constexpr double kShift = 0.003;  // of the number of items
constexpr double kEqual = 0.05;
// Shares of popularity and of three topics in a user's taste, and their running sums.
constexpr std::array<double, 4> kShares = {0.1, 0.5, 0.25, 0.15};
constexpr std::array<double, 4> kSharesBefore = {0.0, 0.1, 0.6, 0.85};
constexpr std::size_t kTogether = 32;  // draws whose memory accesses may overlap
constexpr int kMostLevels = 10;        // each costs twelve bytes an item
constexpr std::size_t kPatience = 16;  // draws per item wanted, before the race
constexpr std::uint64_t kCatalogueStream = std::uint64_t{1} << 62;  // no user has this number

std::vector<double> popularity(Index items) {
  const double shift = 1.0 + kShift * items;
  std::vector<double> weights;
  for (Index rank = 0; rank < items; ++rank) {
    weights.push_back(std::pow(rank + shift, -kExponent));
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight = (1.0 - kEqual) * weight / total + kEqual / items;
  return weights;
}

// As many as make √items narrow topics of as many items.
int level_count(Index items) {
  const double wanted = std::ceil(std::log2(static_cast<double>(items)) / 2.0);
  return std::min(static_cast<int>(wanted), kMostLevels);
}

struct Law {
  std::vector<Index> items;
  std::vector<double> weights;
};

// Rank → narrow topic, dealt out in rounds, so that all topics have popular and rare items.
std::vector<std::size_t> deal(std::size_t items, int levels, Random& random) {
  std::vector<std::size_t> round(std::size_t{1} << levels);
  std::iota(round.begin(), round.end(), std::size_t{0});
  std::vector<std::size_t> narrow;
  while (narrow.size() < items) {
    shuffle(round, random);
    const auto count = std::min(round.size(), items - narrow.size());
    narrow.insert(narrow.end(), round.begin(), round.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return narrow;
}

// One law for each topic of a level: the first bits of the narrow topic's number.
std::vector<Law> level_laws(const Law& popular, std::span<const std::size_t> narrow, int level,
                            int levels) {
  std::vector<Law> laws(std::size_t{1} << level);
  for (std::size_t rank = 0; rank < popular.items.size(); ++rank) {
    Law& law = laws[narrow[rank] >> (levels - level)];
    law.items.push_back(popular.items[rank]);
    law.weights.push_back(popular.weights[rank]);
  }
  return laws;
}

}  // namespace

Catalogue::Catalogue(const SynthOptions& options)
    : items_(options.items), levels_(level_count(options.items)) {
  Random random(options.seed, Purpose::Synth, kCatalogueStream);
  Law popular{std::vector<Index>(at(items_)), popularity(items_)};
  std::iota(popular.items.begin(), popular.items.end(), 0);
  shuffle(popular.items, random);
  slices_.reserve(at(levels_ + 1) * at(items_));
  const auto narrow = deal(popular.items.size(), levels_, random);
  for (int level = 0; level <= levels_; ++level) {
    for (const Law& law : level_laws(popular, narrow, level, levels_)) {
      begins_.push_back(slices_.size());
      append_alias_table(law.items, law.weights, slices_);
    }
  }
  begins_.push_back(slices_.size());
}

// Before a level there are 1 + 2 + 4 + … topics of those above it.
std::span<const AliasSlice> Catalogue::law(int level, std::size_t topic) const {
  const std::size_t number = (std::size_t{1} << level) - 1 + topic;
  return std::span(slices_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
}

Taste::Taste(const Catalogue& catalogue)
    : catalogue_(catalogue), taken_(at(catalogue.items()) / 64 + 1) {}

void Taste::choose_laws(Random& random) {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const bool everything = k == 0 || catalogue_.levels() == 0;
    const int level = everything ? 0 : 1 + static_cast<int>(random.below(at(catalogue_.levels())));
    laws_[k] = {kShares[k], catalogue_.law(level, random.below(std::size_t{1} << level))};
  }
}

Index Taste::draw_item(Random& random) const {
  const double lot = random.uniform();
  std::size_t k = 0;
  for (std::size_t i = 1; i < laws_.size(); ++i) k += lot >= kSharesBefore[i] ? 1 : 0;
  return draw(laws_[k].law, random.bits());
}

bool Taste::take(Index item) {
  const std::uint64_t bit = std::uint64_t{1} << (item % 64);
  std::uint64_t& word = taken_[at(item / 64)];
  const bool is_new = (word & bit) == 0;
  word |= bit;
  return is_new;
}

// The first of exponential clocks of rates P(item) are the next draws without replacement:
// O(items), for the few users who want so many that repetitions would never end.
void Taste::race(Random& random, std::size_t missing, std::vector<Index>& items) {
  std::vector<double> rates(at(catalogue_.items()));
  for (const auto& [share, law] : laws_) {
    const double slice = share / static_cast<double>(law.size());
    for (const auto& [threshold, item, other] : law) {
      const double fill = static_cast<double>(threshold) * 0x1.0p-32;
      rates[at(item)] += slice * fill;
      rates[at(other)] += slice * (1.0 - fill);
    }
  }
  struct Clock {
    double time;
    Index item;
  };
  std::vector<Clock> clocks;
  for (Index item = 0; item < catalogue_.items(); ++item) {
    if ((taken_[at(item / 64)] >> (item % 64) & 1) != 0) continue;
    clocks.push_back({-std::log(1.0 - random.uniform()) / rates[at(item)], item});
  }
  const auto last = clocks.begin() + static_cast<std::ptrdiff_t>(missing);
  const auto earlier = [](const Clock& a, const Clock& b) { return a.time < b.time; };
  std::nth_element(clocks.begin(), last - 1, clocks.end(), earlier);
  for (auto clock = clocks.begin(); clock != last; ++clock) items.push_back(clock->item);
}

void Taste::draw_user(Random& random, Index count, std::vector<Index>& items) {
  choose_laws(random);
  const std::size_t begin = items.size();
  const std::size_t end = begin + at(count);
  for (std::size_t tries = 0; tries < kPatience * at(count) && items.size() < end;) {
    std::array<Index, kTogether> drawn;
    const std::size_t batch = std::min(kTogether, end - items.size());
    for (std::size_t i = 0; i < batch; ++i) drawn[i] = draw_item(random);
    for (std::size_t i = 0; i < batch; ++i) {
      if (take(drawn[i])) items.push_back(drawn[i]);
    }
    tries += batch;
  }
  if (items.size() < end) race(random, end - items.size(), items);
  for (std::size_t i = begin; i < end; ++i) taken_[at(items[i] / 64)] = 0;
  std::sort(items.begin() + static_cast<std::ptrdiff_t>(begin), items.end());
}

}  // namespace sqmax
