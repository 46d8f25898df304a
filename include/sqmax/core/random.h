// Random: streams of numbers named by (seed, purpose, row), the same on every machine and thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sqmax {

/// What a stream is for. Streams of different purposes or rows are independent.
enum class Purpose : std::uint64_t {
  Split,
  Start,
  Bootstrap,
  Permutation,
  Search,
  Synth,
  Test,
  Sample,
  Order,
  Negative
};

class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::uint64_t row = 0);

  std::uint64_t bits();
  double uniform();                          ///< in [0, 1)
  std::uint64_t below(std::uint64_t bound);  ///< in [0, bound), without bias; bound > 0
  double normal();                           ///< mean 0, variance 1

 private:
  std::uint64_t state_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

/// Fisher–Yates: every order of `values` is equally likely.
template <class Range>
void shuffle(Range&& values, Random& random) {
  for (std::size_t left = values.size(); left > 1; --left) {
    using std::swap;
    swap(values[left - 1], values[random.below(left)]);
  }
}

}  // namespace sqmax
