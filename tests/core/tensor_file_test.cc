// Tensor files: what is written is read back; damage of any kind is a sentence, never a crash.
#include "sqmax/core/tensor_file.h"

#include <fstream>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"

#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

class TensorFileTest : public testing::Test {
 protected:
  std::filesystem::path write_sample() {
    TensorFileWriter writer("model");
    writer.set("note", "quotes \" and ünïcode");
    writer.add<std::uint8_t>("letters", {3}, letters_);
    writer.add<float>("factors", {2, 3}, factors_);
    writer.add<std::int64_t>("offsets", {2}, offsets_);
    auto path = folder_ / "sample.safetensors";
    writer.write(path);
    return path;
  }

  static std::string error_of(const std::filesystem::path& path, std::string_view kind = "model") {
    try {
      TensorFile::open(path, kind);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  std::vector<std::uint8_t> letters_ = {'a', 'b', 'c'};
  std::vector<float> factors_ = {1, 2, 3, 4, 5, 6.5};
  std::vector<std::int64_t> offsets_ = {0, std::int64_t{1} << 40};
};

void overwrite(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(TensorFileTest, ReadsBackWhatWasWritten) {
  const TensorFile file = TensorFile::open(write_sample(), "model");
  EXPECT_EQ(file.metadata("note"), "quotes \" and ünïcode");
  EXPECT_EQ(file.shape("factors"), (Shape{2, 3}));
  EXPECT_THAT(file.array<float>("factors").span(), ElementsAreArray(factors_));
  EXPECT_THAT(file.array<std::int64_t>("offsets").span(), ElementsAreArray(offsets_));
  EXPECT_THAT(file.array<std::uint8_t>("letters").span(), ElementsAreArray(letters_));
}

TEST_F(TensorFileTest, ArraysOutliveTheFileObject) {
  Array<float> factors;
  { factors = TensorFile::open(write_sample(), "model").array<float>("factors"); }
  EXPECT_EQ(std::accumulate(factors.begin(), factors.end(), 0.0f), 21.5f);
}

TEST_F(TensorFileTest, EveryFlippedByteIsNoticed) {
  const auto path = write_sample();
  const std::string good = contents(path);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x20);
    overwrite(path, bad);
    EXPECT_NE(error_of(path), "") << "byte " << i;
  }
}

TEST_F(TensorFileTest, EveryTruncationIsNoticed) {
  const auto path = write_sample();
  const std::string good = contents(path);
  for (std::size_t size = 0; size < good.size(); ++size) {
    overwrite(path, good.substr(0, size));
    EXPECT_THAT(error_of(path), HasSubstr("sample.safetensors")) << "size " << size;
  }
}

TEST_F(TensorFileTest, AnotherKindIsNamed) {
  EXPECT_THAT(error_of(write_sample(), "dataset"), HasSubstr("it is a model, and a dataset"));
}

TEST_F(TensorFileTest, ANewerVersionIsNamed) {
  const auto path = write_sample();
  std::string bytes = contents(path);
  const auto position = bytes.find("\"format_version\":\"1\"");
  bytes.replace(position + 18, 1, "2");
  overwrite(path, bytes);
  EXPECT_THAT(error_of(path), HasSubstr("format version 2"));
}

TEST_F(TensorFileTest, MissingAndWrongTensorsAreNamed) {
  const TensorFile file = TensorFile::open(write_sample(), "model");
  EXPECT_THROW(file.array<float>("absent"), Error);
  EXPECT_THROW(file.array<std::int32_t>("factors"), Error);
}

TEST_F(TensorFileTest, AnUnwritablePathLeavesNothingBehind) {
  TensorFileWriter writer("model");
  EXPECT_THROW(writer.write(folder_ / "absent" / "x.safetensors"), Error);
  EXPECT_THROW(writer.write(folder_.path()), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace sqmax
