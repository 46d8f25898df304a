// top_k(): the exact best items of each user, without a users × items matrix.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/rank/item_scorer.h"

namespace sqmax {

struct Ranked {
  Index item = 0;
  float score = 0.0f;

  bool operator==(const Ranked&) const = default;
};

/// One list, with its own length, candidates and links. Whatever is named here must outlive the
/// call.
struct ListQuery {
  std::span<const float> vector;  ///< as long as the scorer's rank
  Index k = 10;
  std::vector<std::span<const Index>> excluded = {};   ///< never in the list; each ascending
  std::vector<std::span<const Index>> history = {};    ///< where the scorer's links start
  std::span<const float> weights = {};                 ///< of the links of each; none: 1
  std::optional<std::span<const Index>> allowed = {};  ///< absent: every item is a candidate
  std::span<const float> factors = {};                 ///< of the items' scores; none: 1
};

/// The lists in the order of the queries, each as if it were the only one. Throws Errc::BadOption
/// if some k < 1.
std::vector<std::vector<Ranked>> top_k(const ItemScorer& scorer,
                                       std::span<const ListQuery> queries);

/// Lists that are alike. List i is for row rows[i] of `user_vectors`; it leaves out row
/// excluded_rows[i] of each excluded matrix, and that row of each of the histories is where the
/// scorer's links start.
struct TopKQuery {
  ConstMatrix user_vectors;
  Index k = 10;
  std::vector<CsrView> excluded = {};
  std::vector<CsrView> histories = {};
  std::optional<std::span<const Index>> rows = {};           ///< absent: every row
  std::optional<std::span<const Index>> excluded_rows = {};  ///< absent: the same as `rows`
  std::optional<std::span<const Index>> allowed = {};        ///< absent: every item is a candidate
};

/// Receives list i, best first. Called once per list, in any order, from many threads at once.
using OnRanking = std::function<void(Offset list, std::span<const Ranked> best)>;

/// Every candidate is ranked: higher score first, ties by lower index. A score of NaN or −∞ never
/// enters; with fewer than k candidates the list is shorter. Throws Errc::BadOption if k < 1.
void top_k(const ItemScorer& scorer, const TopKQuery& query, const OnRanking& on_ranking);

std::vector<std::vector<Ranked>> top_k(const ItemScorer& scorer, const TopKQuery& query);

}  // namespace sqmax
