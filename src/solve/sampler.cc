// Sampler: draws again while an item is observed. Uniform draws that would often do so, or have no
// filter to tell quickly, count the items that are not observed.
#include "solve/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/listed.h"

namespace sqmax {
namespace {

constexpr int kPatience = 64;  // draws of observed items in a row; then the others are weighed

Index below(std::size_t bound, Random& random) { return static_cast<Index>(random.below(bound)); }

// The k-th item that is not observed: k plus the number of observed ones before it. row[i] − i of
// them lie before row[i], and that never falls.
// Halves without a branch that could be guessed wrong.
Index nth_unobserved(std::span<const Index> observed, Index k) {
  const auto is_before = [&](std::size_t i) {
    return static_cast<std::size_t>(observed[i] - static_cast<Index>(i) <= k);
  };
  std::size_t first = 0;
  std::size_t left = observed.size();
  while (left > 1) {
    const std::size_t half = left / 2;
    first += half & (0 - is_before(first + half - 1));
    left -= half;
  }
  const std::size_t before = first + (left == 1 ? is_before(first) : 0);
  return k + static_cast<Index>(before);
}

}  // namespace

Sampler::Sampler(const Sampling& sampling, CsrView by_user)
    : sampling_(sampling), items_(by_user.cols) {
  if (sampling.proposal == Proposal::Uniform) return;
  const double power = sampling.proposal == Proposal::Batch ? 1.0 : sampling.power;
  std::vector<Index> drawn;
  std::vector<double> positive;
  for (const Index degree : column_degrees(by_user)) {
    const double weight = degree > 0 ? std::pow(static_cast<double>(degree), power) : 0.0;
    if (weight > 0.0) {
      drawn.push_back(static_cast<Index>(weights_.size()));
      positive.push_back(weight);
    }
    weights_.push_back(weight);
  }
  append_alias_table(drawn, positive, table_);
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (const double weight : weights_) {
    const double share = static_cast<double>(items_) * weight / total;
    log_shares_.push_back(weight > 0.0 ? static_cast<float>(std::log(share)) : 0.0f);
  }
}

bool Sampler::draw(const Observed& observed, std::span<const Index> batch, Random& random,
                   std::span<Index> items) const {
  if (!sampling_.exclude_observed) {
    for (Index& item : items) item = proposed(batch, random);
    return true;
  }
  if (observed.items.size() >= at(items_)) return false;
  for (Index& item : items) item = unobserved(observed, batch, random);
  return true;
}

Index Sampler::proposed(std::span<const Index> batch, Random& random) const {
  switch (sampling_.proposal) {
    case Proposal::Popularity:
      return sqmax::draw(table_, random.bits());
    case Proposal::Batch:
      return batch[at(below(batch.size(), random))];
    case Proposal::Uniform:
      break;
  }
  return below(at(items_), random);
}

void Sampler::fetch(const Observed& observed, std::span<const Index> batch, Random random) const {
  if (!sampling_.exclude_observed) return;
  if (counts(observed)) {
    kernels::fetch(observed.items.data(), observed.items.size_bytes());
  } else {
    observed.fetch(proposed(batch, random));
  }
}

bool Sampler::counts(const Observed& observed) const {
  return sampling_.proposal == Proposal::Uniform &&
         (observed.filter.empty() || observed.items.size() > at(items_) / 2);
}

Index Sampler::unobserved(const Observed& observed, std::span<const Index> batch,
                          Random& random) const {
  const std::size_t left = at(items_) - observed.items.size();
  if (counts(observed)) return nth_unobserved(observed.items, below(left, random));
  for (int attempt = 0; attempt < kPatience; ++attempt) {
    const Index item = proposed(batch, random);
    if (!observed.has(item)) return item;
  }
  if (sampling_.proposal != Proposal::Uniform) return unobserved_by_weight(observed.items, random);
  return nth_unobserved(observed.items, below(left, random));
}

// The same law among the items that are left; all alike if none of them has a weight.
Index Sampler::unobserved_by_weight(std::span<const Index> observed, Random& random) const {
  double left = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (const Index y : observed) left -= weights_[at(y)];
  double way = random.uniform() * left;
  auto next = observed.begin();
  Index last = -1;
  for (Index y = 0; y < items_; ++y) {
    if (next != observed.end() && *next == y) {
      ++next;
    } else if (weights_[at(y)] > 0.0) {
      last = y;
      way -= weights_[at(y)];
      if (way < 0.0) return y;
    }
  }
  return last >= 0 ? last : nth_unobserved(observed, below(at(items_) - observed.size(), random));
}

}  // namespace sqmax
