// add_in_pieces(): sums over the interactions of one row, however many.   docs/solvers/README.md
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sqmax/core/index.h"

namespace sqmax {

inline constexpr std::size_t kLongestSum = 4096;  // in single precision; longer ones are in double

/// `add(piece, sum)` adds what the interactions of a piece ask for to `sum`. A million small terms
/// would lose their digits beside what is there already: long rows are added piece by piece, each
/// from zero, the pieces in double.
template <class Add>
void add_in_pieces(std::span<const Index> observed, std::span<float> total, const Add& add) {
  if (observed.size() <= kLongestSum) {
    add(observed, total);
    return;
  }
  std::vector<double> wide(total.begin(), total.end());
  std::vector<float> sum(total.size());
  for (std::size_t begin = 0; begin < observed.size(); begin += kLongestSum) {
    std::ranges::fill(sum, 0.0f);
    add(observed.subspan(begin, std::min(observed.size() - begin, kLongestSum)),
        std::span<float>(sum));
    for (std::size_t k = 0; k < sum.size(); ++k) wide[k] += sum[k];
  }
  std::ranges::transform(wide, total.begin(),
                         [](double value) { return static_cast<float>(value); });
}

}  // namespace sqmax
