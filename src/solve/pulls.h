// Pulls: the gradient of a step as terms of single rows, summed in an order that does not depend on
// threads.                                                              docs/solvers/adam.md
#pragma once

#include <array>
#include <cstdint>
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

/// Whether the sources of pulls are vectors that move in the same step.
enum class Sources { Stay, Move };

/// Sums the pulls of one share of a side's rows, and then moves these rows. Between the two, all
/// other shares must have been summed, as sources may move.
class ShareOfRows {
 public:
  explicit ShareOfRows(Sources sources) : sources_(sources) {}

  /// Notes the pulls of one task, after those of the tasks before it.
  void take(std::span<const Pull> pulls, std::span<Index> slots);
  /// The sums of all that was taken; sources have `cols` values.
  void add_up(Offset cols);
  void move(MovingSide& side, Offset now, std::span<Index> slots);

 private:
  struct Row {
    Index row = 0;
    float extra = 0.0f;
    std::uint32_t pulls = 0;
    std::uint32_t end = 0;  // of its pulls, once they are in order
    const float* gradient = nullptr;
  };

  void order_pulls();
  std::span<float> sum(std::size_t slot) {
    return std::span(sums_).subspan(slot * at(cols_), at(cols_));
  }

  Sources sources_;
  Offset cols_ = 0;
  std::vector<Row> rows_;
  std::vector<Pull> taken_;  // `row` is the slot
  std::vector<const float*> sources_of_rows_;
  std::vector<float> slopes_of_rows_;
  LargeVector<float> sums_;  // a vector each, and room for more
};

}  // namespace sqmax
