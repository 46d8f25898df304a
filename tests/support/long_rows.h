// LongRows: users with a million items, and vectors of those.
#pragma once

#include <numeric>
#include <vector>

#include "tests/support/tiny_data.h"

namespace sqmax {

inline constexpr Index kMany = 1'000'000;
inline constexpr Offset kLongWidth = 5;

struct LongRows {
  LongRows() {
    std::vector<Index> everything(at(kMany));
    std::iota(everything.begin(), everything.end(), 0);
    std::vector<Index> most = everything;
    most.resize(at(kMany) - 1000);
    by_user = csr_of(kMany, {everything, {3, 70, 999'999}, most, {}});
    by_item = transpose(by_user);
    TinyData random(2, 2, 0.5, 6);
    Q = random.factors(kMany, kLongWidth);
    // of one sign in the first coordinates, as those of popularity are
    for (Offset y = 0; y < kMany; ++y) Q(y, 0) = 0.1f + 0.01f * Q(y, 0);
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
