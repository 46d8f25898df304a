// Scores of panels, and rows that a list names.
#pragma once

#include "fuzz/kernels/draws.h"
#include "kernels/listed.h"
#include "kernels/score_block.h"

namespace sqmax::kernels_fuzz {

inline void check_scores(Draws& draws, bool is_shifted) {
  const auto rank = static_cast<Index>(draws.size(80));
  const auto users = static_cast<Index>(kTileUsers * draws.size(6));
  const auto vectors = draws.values(Offset{users} * rank);
  const auto items = draws.values(Offset{1 + rank} * kPanelItems);
  const auto thresholds = draws.values(users);
  const auto shift = draws.values(is_shifted ? Offset{users} * kPanelItems : 0);
  const auto factors = draws.values(std::ssize(shift));
  std::vector<float> scores(at(Offset{users} * kPanelItems));
  std::vector<float> want_scores = scores;
  std::vector<std::uint32_t> above(at(users));
  std::vector<std::uint32_t> want_above = above;
  ScoreBlock block = {.users = vectors.data(),
                      .panel = items.data(),
                      .next = is_shifted ? items.data() : nullptr,
                      .thresholds = thresholds.data(),
                      .shift = is_shifted ? shift.data() : nullptr,
                      .factors = is_shifted ? factors.data() : nullptr,
                      .user_count = users,
                      .rank = rank,
                      .scores = scores.data(),
                      .above = above.data()};
  score_block(block);
  block.scores = want_scores.data();
  block.above = want_above.data();
  reference::score_block(block);
  require(above == want_above);
  for (std::size_t place = 0; place < scores.size(); ++place) {
    const std::size_t lane = place % at(kPanelItems);
    const bool counts = ((above[place / at(kPanelItems)] >> lane) & 1U) != 0;
    require(!counts || scores[place] == want_scores[place]);
  }
}

inline void check_score_block(Draws& draws) { check_scores(draws, false); }
inline void check_shifted_scores(Draws& draws) { check_scores(draws, true); }

inline void check_listed(Draws& draws) {
  const Matrix F = draws.matrix(1 + draws.size(20), draws.size(140));
  const auto x = draws.values(F.cols());
  std::vector<Index> rows(at(draws.size(30)));
  for (Index& row : rows) row = static_cast<Index>(draws.below(F.rows()));
  const auto w = draws.values(std::ssize(rows));
  const auto start = draws.values(F.cols());
  std::vector<float> want_sum(x.size()), dots(rows.size(), 99.0f), distances = dots;
  std::vector<kernels::WeightedRow> anywhere;
  kernels::listed_dots(rows, F, x, dots);
  kernels::listed_distances(rows, F, x, distances);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const auto row = F.row(rows[j]);
    float distance = 0.0f;
    for (std::size_t c = 0; c < x.size(); ++c) {
      distance += (x[c] - row[c]) * (x[c] - row[c]);
      want_sum[c] += w[j] * row[c];
    }
    require(dots[j] == std::inner_product(x.begin(), x.end(), row.begin(), 0.0f));
    require(distances[j] == distance);
    anywhere.push_back({row.data(), w[j]});
  }
  std::vector<float> alone(x.size(), 99.0f);
  kernels::weighted_sum(anywhere, alone);
  require(same(alone, want_sum));
  std::vector<float> added = start;
  kernels::listed_sum(rows, w, F, added);
  for (std::size_t c = 0; c < x.size(); ++c) want_sum[c] += start[c];
  require(same(added, want_sum));
}

}  // namespace sqmax::kernels_fuzz
