// Sorting rows: as std::sort does, whatever the length and the size of the numbers.
#include "data/ascending.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "sqmax/core/random.h"

namespace sqmax {
namespace {

TEST(Ascending, IsTheOrderOfComparisons) {
  Random random(1, Purpose::Test);
  std::vector<Index> scratch;
  for (const std::uint64_t bound : {1U, 9U, 256U, 70'000U, 20'000'000U, 2'147'483'648U}) {
    for (std::size_t length = 0; length < 200; length = 1 + length + length / 9) {
      std::vector<Index> values(length);
      for (Index& value : values) value = static_cast<Index>(random.below(bound));
      std::vector<Index> expected = values;
      std::sort(expected.begin(), expected.end());
      sort_ascending(values, scratch);
      EXPECT_EQ(values, expected) << bound << " " << length;
    }
  }
}

TEST(Ascending, KeepsTheLargestIndex) {
  std::vector<Index> values(100, std::numeric_limits<Index>::max());
  values.back() = 0;
  std::vector<Index> scratch;
  sort_ascending(values, scratch);
  EXPECT_EQ(values.front(), 0);
  EXPECT_EQ(values.back(), std::numeric_limits<Index>::max());
}

}  // namespace
}  // namespace sqmax
