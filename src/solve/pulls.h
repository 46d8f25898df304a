// Pulls: the gradient of a step as terms of single rows, summed in an order that does not depend on
// threads.                                                              docs/solvers/adam.md
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"

#include "solve/moving_side.h"

namespace sqmax {

/// Rows r with equal r mod kShares are summed and moved by one task.
inline constexpr Index kShares = 8;

/// slope · source as a part of the gradient of `row`; without a source, slope of its extra.
struct Pull {
  const float* source = nullptr;
  Index row = 0;
  float slope = 0.0f;
};

/// The pulls of one side that one task has found.
class Pulls {
 public:
  void clear() {
    for (auto& share : shares_) share.clear();
  }
  void add(Index row, const float* source, float slope) {
    if (slope != 0.0f) shares_[at(row % kShares)].push_back({source, row, slope});
  }
  std::span<const Pull> share(Index number) const { return shares_[at(number)]; }

 private:
  std::array<std::vector<Pull>, kShares> shares_;
};

/// Sums the pulls of one share of a side's rows, and then moves these rows. Between the two, all
/// other shares must have been summed: sources are vectors that move.
class ShareOfRows {
 public:
  void add(std::span<const Pull> pulls, Offset cols, std::span<Index> slots);
  void move(MovingSide& side, Offset now, std::span<Index> slots);

 private:
  std::size_t new_slot(Index row, std::span<Index> slots);

  Offset cols_ = 0;
  std::vector<Index> rows_;
  std::vector<float> sums_;    // a vector each, and room for more
  std::vector<float> extras_;  // a number each
};

}  // namespace sqmax
