// The data doctor, before the split: repetitions and the shape of the two sides.
#include "sqmax/data/doctor.h"

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/fail.h"
#include "core/wording.h"

namespace sqmax {
namespace {

using Json = nlohmann::ordered_json;

// The thresholds were chosen on five public data sets: none of them raises a finding as it is, and
// three of the five do with their columns swapped. Silence is no proof.
constexpr Index kFewestToJudge = 20;      // users or items; below, any shape is possible
constexpr double kSkewGap = 0.1;          // between the Gini coefficients of the two sides
constexpr double kNearlyUnique = 1.2;     // interactions of the mean user or item
constexpr double kNearlyEverybody = 0.9;  // share of the users

std::string pair_text(const Repetition::Example& pair, const Interactions& ids) {
  return fmt::format("user '{}' with item '{}'", ids.user_ids[pair.user], ids.item_ids[pair.item]);
}

/// How the pairs are spread over one side; positions without any do not count.
struct Spread {
  Index count = 0;
  double mean = 0.0;
  double gini = 0.0;  ///< 0: all alike; 1: one has everything
};

// With x ascending and i from 1: gini = Σ (2i − n − 1) x_i / (n Σ x).
Spread spread_of(std::vector<Index> degrees) {
  std::erase(degrees, 0);
  std::sort(degrees.begin(), degrees.end());
  const auto n = static_cast<double>(degrees.size());
  double total = 0.0;
  double weighted = 0.0;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    total += degrees[i];
    weighted += (2.0 * static_cast<double>(i + 1) - n - 1.0) * degrees[i];
  }
  if (degrees.empty()) return {};
  return {static_cast<Index>(degrees.size()), total / n, weighted / (n * total)};
}

// Popularity is nearly always more unequal than activity, and users are nearly always more.
void diagnose_transposed(const Spread& users, const Spread& items, std::vector<Finding>& findings) {
  if (users.gini < items.gini + kSkewGap || items.count < users.count) return;
  findings.push_back(
      {"transposed-columns",
       fmt::format("The columns look swapped: activity (Gini {:.2f}) is less equal than popularity "
                   "({:.2f}), and there are more items ({}) than users ({}); check --user and "
                   "--item.",
                   users.gini, items.gini, items.count, users.count)});
}

void diagnose_unique(const Spread& side, const char* name, std::vector<Finding>& findings) {
  if (side.mean > kNearlyUnique) return;
  findings.push_back(
      {fmt::format("unique-{}s", name),
       fmt::format("Each {0} occurs {1:.2f} times on average, which leaves little to "
                   "learn; check that --{0} is the right column.",
                   name, side.mean)});
}

void diagnose_ubiquitous(std::span<const Index> degrees, Index users, const Interactions& ids,
                         std::vector<Finding>& findings) {
  const auto most = std::max_element(degrees.begin(), degrees.end());
  const double share = static_cast<double>(*most) / users;
  if (share < kNearlyEverybody) return;
  findings.push_back(
      {"ubiquitous-item",
       fmt::format("Item '{}' is with {:.0f} % of the users and says little about "
                   "any of them.",
                   ids.item_ids[static_cast<Index>(most - degrees.begin())], 100.0 * share)});
}

}  // namespace

void diagnose_repetition(const Repetition& repetition, const Interactions& ids,
                         std::vector<Finding>& findings) {
  if (repetition.duplicates > 0) {
    findings.push_back({"duplicates", fmt::format("{} counted once, for example {}.",
                                                  number_of(repetition.duplicates,
                                                            "interaction repeats another and is",
                                                            "interactions repeat another and are"),
                                                  pair_text(repetition.duplicate, ids))});
  }
  if (repetition.leaks > 0) {
    findings.push_back(
        {"leaking-split",
         fmt::format(
             "{} in more than one part of the given split, for example {}; each is kept in the "
             "earliest of its parts only.",
             number_of(repetition.leaks, "pair occurs", "pairs occur"),
             pair_text(repetition.leak, ids))});
  }
}

void diagnose_shape(const Pairs& pairs, const Interactions& ids, std::vector<Finding>& findings) {
  const std::vector<Index> popularity = column_degrees(pairs.view());
  const Spread users = spread_of(row_degrees(pairs.view()));
  const Spread items = spread_of(popularity);
  if (users.count < kFewestToJudge || items.count < kFewestToJudge) return;
  diagnose_transposed(users, items, findings);
  diagnose_unique(users, "user", findings);
  diagnose_unique(items, "item", findings);
  diagnose_ubiquitous(popularity, users.count, ids, findings);
}

std::string to_json(const std::vector<Finding>& findings) {
  Json json;
  json["findings"] = Json::array();
  for (const Finding& finding : findings) {
    json["findings"].push_back({{"kind", finding.kind}, {"sentence", finding.sentence}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sqmax
