// Headers made to deceive: each has the right checksum, and each is refused for what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/tensor_file.h"

#include "tests/support/error_of.h"
#include "tests/support/forged_file.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kData(64, '\1');

std::string error_of_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = folder.file("forged", bytes);
  return error_of([&] { TensorFile::open(path, "model"); });
}

std::string error_of_header(const std::string& json) {
  return error_of_bytes(forged_file(json, kData));
}

std::string error_of_tensors(const std::string& tensors) {
  return error_of_header(forged_header("model", tensors));
}

TEST(ForgedFile, IsReadIfItDoesNotLie) {
  EXPECT_EQ(error_of_tensors(forged_tensor("a", "I64", "[4]", "[0,32]") + "," +
                             forged_tensor("b", "F32", "[2,4]", "[32,64]") + "," +
                             forged_tensor("empty", "F32", "[0,9]", "[8,8]")),
            "");
}

TEST(ForgedFile, TensorsThatShareBytesAreRefused) {
  const std::string a = forged_tensor("a", "I64", "[4]", "[0,32]") + ",";
  for (const std::string offsets : {"[0,32]", "[24,56]", "[28,60]"}) {
    EXPECT_THAT(error_of_tensors(a + forged_tensor("b", "F32", "[8]", offsets)),
                HasSubstr("overlap"))
        << offsets;
  }
  EXPECT_THAT(error_of_tensors(a + forged_tensor("b", "U8", "[1]", "[31,32]")),
              HasSubstr("overlap"));
}

TEST(ForgedFile, TensorsPastTheEndAreRefused) {
  for (const std::string offsets : {"[0,72]", "[64,72]", "[1000000,1000008]", "[16,8]",
                                    "[9223372036854775800,9223372036854775807]"}) {
    EXPECT_THAT(error_of_tensors(forged_tensor("a", "U8", "[8]", offsets)),
                AllOf(HasSubstr("forged"), HasSubstr("it ends before its data does")))
        << offsets;
  }
}

TEST(ForgedFile, SizesThatAreNoneAreRefused) {
  for (const std::string shape :
       {"[-1]", "[0.5]", "[1e300]", "[18446744073709551615]", "[4611686018427387904,8]", "[\"8\"]",
        "[null]", "[[8]]", "[9]", "[2,2]"}) {
    EXPECT_NE(error_of_tensors(forged_tensor("a", "U8", shape, "[0,8]")), "") << shape;
  }
  for (const std::string offsets : {"[-8,0]", "[0]", "[]", "8", "[0,8.0]", "[0,1e300]", "{}"}) {
    EXPECT_NE(error_of_tensors(forged_tensor("a", "U8", "[8]", offsets)), "") << offsets;
  }
}

TEST(ForgedFile, TypesThatAreNoneAreRefused) {
  for (const std::string type : {"F64", "BF16", "f32", "", "I32 "}) {
    EXPECT_THAT(error_of_tensors(forged_tensor("a", type, "[1]", "[0,8]")),
                HasSubstr("of the type " + type));
  }
  EXPECT_NE(error_of_tensors(R"("a":{"dtype":7,"shape":[8],"data_offsets":[0,8]})"), "");
  EXPECT_NE(error_of_tensors(R"("a":{"shape":[8],"data_offsets":[0,8]})"), "");
}

TEST(ForgedFile, NumbersThatAreNotAlignedAreRefused) {
  EXPECT_THAT(error_of_tensors(forged_tensor("a", "F32", "[1]", "[2,6]")), HasSubstr("shape"));
  EXPECT_THAT(error_of_tensors(forged_tensor("a", "I64", "[1]", "[4,12]")), HasSubstr("shape"));
}

TEST(ForgedFile, HeadersOfAnotherShapeAreRefused) {
  for (const std::string json : {"[]", "7", "null", "\"\"", "{", "{}", R"({"__metadata__":7})",
                                 R"({"__metadata__":{"kind":7}})", R"({"a":7})", R"({"a":[]})",
                                 R"({"__metadata__":{"kind":"model"}})"}) {
    EXPECT_NE(error_of_header(json), "") << json;
  }
  EXPECT_THAT(error_of_header(R"({"__metadata__":{"format_version":"1","kind":"model"}})"),
              HasSubstr("no checksum"));
}

TEST(ForgedFile, DepthIsBounded) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(error_of_tensors("\"a\":" + deep), HasSubstr("too deep"));
}

TEST(ForgedFile, LengthsOfHeadersAreBounded) {
  std::string bytes = forged_file(forged_header("model", ""), kData);
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{bytes.size()}, std::uint64_t{1} << 40,
        std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{7}}) {
    std::memcpy(bytes.data(), &length, sizeof length);
    EXPECT_THAT(error_of_bytes(bytes), HasSubstr("truncated")) << length;
  }
  const std::string blanks(kLongestHeader, ' ');
  EXPECT_THAT(error_of_header(forged_header("model", "") + blanks), HasSubstr("header is longer"));
}

TEST(ForgedFile, OtherBytesThanItsChecksumSaysAreRefused) {
  std::string bytes = forged_file(forged_header("model", ""), kData);
  bytes.back() = '\2';
  EXPECT_THAT(error_of_bytes(bytes), HasSubstr("checksum does not match"));
}

TEST(ForgedFile, WhatCannotBeReadAgainIsNotWritten) {
  const TemporaryFolder folder;
  TensorFileWriter writer("model");
  writer.set("story", std::string(kLongestHeader, 'x'));
  EXPECT_THAT(error_of([&] { writer.write(folder / "long"); }), HasSubstr("can be read again"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace sqmax
