// LongRows: users with a million items, and vectors of those.
#pragma once

#include <numeric>
#include <vector>

#include "tests/support/tiny_data.h"

namespace sqmax {

inline constexpr Index kMany = 1'200'000;
inline constexpr Index kLong = 1'000'000;  // items that one user has, and another besides the rest
inline constexpr Offset kLongWidth = 5;

struct LongRows {
  LongRows() {
    std::vector<Index> everything(at(kMany));
    std::iota(everything.begin(), everything.end(), 0);
    const std::vector<Index> first(everything.begin(), everything.begin() + kLong);
    by_user = csr_of(kMany, {everything, {3, 70, 999'999}, first, {}});
    by_item = transpose(by_user);
    TinyData random(2, 2, 0.5, 6);
    Q = random.factors(kMany, kLongWidth);
    // of one sign in the first coordinates, as those of popularity are; less where only one has
    // them
    for (Offset y = 0; y < kMany; ++y) Q(y, 0) = (y < kLong ? 0.1f : 0.05f) + 0.01f * Q(y, 0);
  }
  Csr by_user;
  Csr by_item;
  Matrix Q;
};

inline const LongRows& long_rows() {
  static const LongRows data;
  return data;
}

}  // namespace sqmax
