// RankingProblem: a small random model and its interactions, and rankings of it by full sort.
#pragma once

#include <algorithm>
#include <ostream>
#include <set>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/core/random.h"
#include "sqmax/data/csr.h"
#include "sqmax/rank/evaluate.h"
#include "sqmax/rank/item_scorer.h"
#include "sqmax/rank/top_k.h"

namespace sqmax {

/// How a failed test shows a place of a list.
inline void PrintTo(const Ranked& ranked, std::ostream* out) {
  *out << ranked.item << " (" << ranked.score << ")";
}

inline Csr random_csr(Index rows, Index cols, double density, Random& random) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Index r = 0; r < rows; ++r) {
    // Some rows are empty and some are full.
    const auto kind = random.below(8);
    const double share = kind == 0 ? 0.0 : kind == 1 ? 1.0 : density;
    for (Index c = 0; c < cols; ++c) {
      if (random.uniform() < share) indices.push_back(c);
    }
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {rows, cols, std::move(offsets), std::move(indices)};
}

/// Integer-valued, so scores are exact and ties are many.
struct RankingProblem {
  RankingProblem(Index users, Index items, Index rank, std::uint64_t row)
      : random(11, Purpose::Test, row), P(users, rank), Q(items, rank) {
    for (float& value : P.values()) value = small_integer();
    for (float& value : Q.values()) value = small_integer();
    for (Index y = 0; y < items; ++y) {
      scale.push_back(static_cast<float>(1 + random.below(2)));
      bias.push_back(small_integer());
    }
    train = random_csr(users, items, 0.3, random);
    valid = random_csr(users, items, 0.1, random);
    test = random_csr(users, items, 0.1, random);
    popularity = column_degrees(train);
  }

  static RankingProblem any(std::uint64_t row) {
    Random random(12, Purpose::Test, row);
    const auto below = [&](std::uint64_t bound) { return static_cast<Index>(random.below(bound)); };
    return {1 + below(12), 1 + below(80), below(5), row};
  }

  float small_integer() { return static_cast<float>(random.below(5)) - 2.0f; }
  Index users() const { return static_cast<Index>(P.rows()); }
  Index items() const { return static_cast<Index>(Q.rows()); }
  ItemScorer scorer() const { return ItemScorer(Q, scale, bias); }
  Evaluation evaluation(const std::string& metrics) const {
    const ItemScorer packed = scorer();
    return evaluate({packed, P, {train, valid}, test, popularity}, parse_metrics(metrics));
  }

  float score(Index x, Index y) const {
    float dot = 0.0f;
    for (Index k = 0; k < P.cols(); ++k) dot += P(x, k) * Q(y, k);
    return scale[at(y)] * dot + bias[at(y)];
  }

  /// Every candidate of user x by full sort; a stable sort leaves ties to the lower index.
  std::vector<Ranked> ranking(Index x, const std::set<Index>& forbidden) const {
    std::vector<Ranked> all;
    for (Index y = 0; y < items(); ++y) {
      if (!forbidden.contains(y)) all.push_back({y, score(x, y)});
    }
    std::ranges::stable_sort(all, std::greater<>(), &Ranked::score);
    return all;
  }

  std::set<Index> seen(Index x) const {
    const auto a = train.view().row(x);
    const auto b = valid.view().row(x);
    std::set<Index> both(a.begin(), a.end());
    both.insert(b.begin(), b.end());
    return both;
  }

  Random random;
  Matrix P;
  Matrix Q;
  std::vector<float> scale;
  std::vector<float> bias;
  Csr train;
  Csr valid;
  Csr test;
  std::vector<Index> popularity;
};

}  // namespace sqmax
