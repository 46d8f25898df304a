// Order: a random permutation that is computed place by place, never stored.
#pragma once

#include <array>
#include <cstdint>

#include "sqmax/core/index.h"

namespace sqmax {

/// Of [0, count), another one for every epoch.
class Order {
 public:
  Order(Offset count, std::uint64_t seed, int epoch);
  Offset operator()(Offset place) const;

 private:
  std::uint64_t count_;
  std::uint64_t rows_;
  std::uint64_t cols_;
  std::array<std::uint64_t, 4> keys_ = {};
};

}  // namespace sqmax
