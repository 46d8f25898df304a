// Lists: ranked positions of many rows, as two arrays of one shape.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "sqmax/rank/top_k.h"

#include "arrays.h"

namespace sqmax::python {

/// Lists of one length, short ones filled with item −1 and score −∞.
struct Lists {
  Lists(Offset count, Index k)
      : rows(count),
        cols(k),
        ids(at(count * k), -1),
        scores(at(count * k), -std::numeric_limits<float>::infinity()) {}

  void set(Offset row, std::span<const Ranked> best) {
    for (std::size_t i = 0; i < best.size(); ++i) {
      ids[at(row * cols) + i] = best[i].item;
      scores[at(row * cols) + i] = best[i].score;
    }
  }
  nb::tuple release() {
    return nb::make_tuple(moved(std::move(ids), rows, cols), moved(std::move(scores), rows, cols));
  }

  Offset rows;
  Index cols;
  std::vector<Index> ids;
  std::vector<float> scores;
};

}  // namespace sqmax::python
