// Numbers in JSON that are to be counts.
#include <gtest/gtest.h>

#include "train/trial_json.h"

namespace sqmax {
namespace {

TEST(KeptJson, CountsThatAreNoneAreRefused) {
  EXPECT_EQ(count_of(Json::parse("7")), 7);
  for (const char* text : {"-1", "0.5", "1e300", "2147483648", "18446744073709551615", "null",
                           "\"7\"", "[7]", "{}", "true"}) {
    EXPECT_THROW(count_of(Json::parse(text)), Json::exception) << text;
  }
}

}  // namespace
}  // namespace sqmax
