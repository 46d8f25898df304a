// Pulls: the gradient of a step as terms of single rows, summed in an order that does not depend on
// threads.                                                              docs/solvers/adam.md
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"

#include "kernels/listed.h"
#include "solve/moving_side.h"
#include "solve/row_groups.h"

namespace sqmax {

/// Into which the rows of a side are divided when their pulls are summed.
inline constexpr Index kShares = 16;

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
    if (slope != 0.0f) shares_[share_of(row, kShares)].push_back({source, row, slope});
  }
  std::span<const Pull> share(Offset number) const { return shares_[at(number)]; }

 private:
  std::array<std::vector<Pull>, kShares> shares_;
};

/// Sums the pulls of one share of a side's rows and moves these rows: row by row, or, if sources
/// are rows that other shares move, in two steps between which all other shares must have been
/// summed.
class ShareOfRows {
 public:
  /// Notes the pulls of one task, after those of the tasks before it.
  void take(std::span<const Pull> pulls, std::span<Index> slots);
  /// Moves each row once its pulls are summed.
  void add_up_and_move(MovingSide& side, Offset now, std::span<Index> slots);
  /// The sums of all that was taken; sources have `cols` values.
  void add_up(Offset cols);
  void move(MovingSide& side, Offset now, std::span<Index> slots);

 private:
  using Groups = RowGroups<kernels::WeightedRow>;

  void fetch_after(const Groups::Group& row, Offset cols) const;
  template <class SumOf>
  void move(MovingSide& side, Offset now, std::span<Index> slots, const SumOf& sum_of);

  Groups rows_;
  std::vector<float> extras_;  // the slope of each row's extra
  LargeVector<float> sums_;    // of one row, or a vector each and room for more
};

}  // namespace sqmax
