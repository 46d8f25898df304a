// Headers of tensor files: where tensors may lie.
#include "core/tensor_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"

namespace sqmax {
namespace {

using ::testing::HasSubstr;

std::string flaw_of(const std::string& json, std::size_t data_size) try {
  parse_tensor_header(json, data_size);
  return "";
} catch (const Error& error) {
  return error.what();
}

TEST(TensorHeader, ATensorEndsWithTheDataAndNotOneByteLater) {
  const std::string json = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";
  EXPECT_EQ(flaw_of(json, 4), "");
  EXPECT_THAT(flaw_of(json, 3), HasSubstr("truncated"));
}

TEST(TensorHeader, NumbersBeginAtMultiplesOfTheirSize) {
  const auto json = [](int begin) {
    const std::string at = std::to_string(begin);
    const std::string end = std::to_string(begin + 4);
    return R"({"a":{"dtype":"U8","shape":[)" + at + R"(],"data_offsets":[0,)" + at +
           R"(]},"b":{"dtype":"F32","shape":[1],"data_offsets":[)" + at + "," + end + "]}}";
  };
  EXPECT_EQ(flaw_of(json(4), 8), "");
  for (const int begin : {1, 2, 3, 5}) {
    EXPECT_NE(flaw_of(json(begin), static_cast<std::size_t>(begin) + 4), "") << begin;
  }
}

}  // namespace
}  // namespace sqmax
