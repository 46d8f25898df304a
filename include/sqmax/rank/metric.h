// MetricSpec: what a ranking metric is; one file each in src/rank/metrics.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/rank/top_k.h"

namespace sqmax {

/// The first k places of one user's list, and what was held out.
struct UserRanking {
  std::span<const Ranked> top;        ///< at most k, best first
  std::span<const std::uint8_t> hit;  ///< rel_i: 1 if place i holds a held-out item, else 0
  Index relevant = 0;                 ///< |I|, the number of held-out items, at least 1
  Index k = 0;                        ///< the cut-off
  std::span<const Index> popularity;  ///< training interactions of every item
};

/// How often each item was in the first k places of somebody's list.
struct Exposure {
  std::span<const Offset> counts;
  Index k = 0;
};

enum class MetricAim {
  Accuracy,     ///< in [0, 1], more is better; 1 if the first k places are the k held-out items
  Description,  ///< says what lists are like, not how right they are
};

/// A metric has a value per user, whose mean is reported, or one value for all lists together.
struct MetricSpec {
  std::string_view name;  ///< what a person types before @k
  std::string_view title;
  std::string_view formula;
  MetricAim aim = MetricAim::Accuracy;
  double (*of_user)(const UserRanking&) = nullptr;
  double (*of_exposure)(const Exposure&) = nullptr;  ///< in [0, 1]
};

/// Every metric there is, by name.
std::span<const MetricSpec> metrics();

/// A metric at a cut-off: "ndcg@10".
struct Metric {
  MetricSpec spec;
  Index k = 0;
  std::string name;
};

/// "ndcg@10,recall@20" in the order given, repetitions dropped. Throws Errc::BadOption with a
/// sentence that lists the known names, or says what k may be.
std::vector<Metric> parse_metrics(std::string_view text);

}  // namespace sqmax
