// JSON that anybody may have written: how deep it goes, and which numbers are whole.
#include "core/shallow_json.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace sqmax {
namespace {

using Json = nlohmann::json;

std::string nested(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') +
         std::string(static_cast<std::size_t>(levels), ']');
}

TEST(ShallowJson, GoesNoDeeperThanItMay) {
  EXPECT_FALSE(shallow_json<Json>(nested(kDeepestJson)).is_discarded());
  EXPECT_TRUE(shallow_json<Json>(nested(kDeepestJson + 2)).is_discarded());
  EXPECT_TRUE(shallow_json<Json>(nested(1'000'000)).is_discarded());
  EXPECT_TRUE(shallow_json<Json>(std::string("[1")).is_discarded());
}

TEST(ShallowJson, WholeNumbersAreThoseThatAnIntegerHolds) {
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-7}, INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(whole_number(Json::parse(std::to_string(number))), number);
  }
  for (const char* text :
       {"9223372036854775808", "18446744073709551615", "4607184882418800017408",
        "-9223372036854775809", "1.0", "1e3", "0e400", "null", "\"1\"", "[1]", "true"}) {
    EXPECT_THROW(whole_number(Json::parse(text)), Json::exception) << text;
  }
}

}  // namespace
}  // namespace sqmax
