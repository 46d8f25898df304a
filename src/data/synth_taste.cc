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
constexpr double kSecondTopic = 0.3;   // weight of an item there, relative to its first topic
constexpr Index kMostTopics = 512;
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

Index topic_count(Index items) {
  const auto wanted = static_cast<Index>(std::sqrt(static_cast<double>(items)));
  return std::clamp<Index>(wanted, 1, kMostTopics);
}

struct Law {
  std::vector<Index> items;
  std::vector<double> weights;
};

// Items are dealt out by rank, so that all topics have popular and rare ones; and once more at
// random with less weight, so that topics overlap. The second is never the first.
std::vector<Law> topic_laws(const Law& popular, Index topics, Random& random) {
  std::vector<Law> laws(at(topics));
  const auto deal = [&](std::size_t rank, std::size_t topic, double share) {
    laws[topic].items.push_back(popular.items[rank]);
    laws[topic].weights.push_back(share * popular.weights[rank]);
  };
  for (std::size_t rank = 0; rank < popular.items.size(); ++rank) {
    deal(rank, rank % at(topics), 1.0);
    if (topics == 1) continue;
    deal(rank, (rank + 1 + random.below(at(topics) - 1)) % at(topics), kSecondTopic);
  }
  return laws;
}

}  // namespace

Catalogue::Catalogue(const SynthOptions& options) : items_(options.items) {
  Random random(options.seed, Purpose::Synth, kCatalogueStream);
  Law popular{std::vector<Index>(at(items_)), popularity(items_)};
  std::iota(popular.items.begin(), popular.items.end(), 0);
  shuffle(popular.items, random);

  const auto append = [this](const Law& law) {
    begins_.push_back(slices_.size());
    append_alias_table(law.items, law.weights, slices_);
  };
  append(popular);
  for (const Law& law : topic_laws(popular, topic_count(items_), random)) append(law);
  begins_.push_back(slices_.size());
}

std::span<const AliasSlice> Catalogue::law(Index number) const {
  const std::size_t begin = begins_[at(number)];
  return std::span(slices_).subspan(begin, begins_[at(number) + 1] - begin);
}

Taste::Taste(const Catalogue& catalogue)
    : catalogue_(catalogue), taken_(at(catalogue.items()) / 64 + 1) {}

void Taste::choose_laws(Random& random) {
  laws_[0] = {kShares[0], catalogue_.law(0)};
  for (std::size_t k = 1; k < laws_.size(); ++k) {
    const auto topic = 1 + random.below(at(catalogue_.topics()));
    laws_[k] = {kShares[k], catalogue_.law(static_cast<Index>(topic))};
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
