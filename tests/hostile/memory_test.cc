// Small files that ask for much: readers refuse them, and take little memory to find out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/data/dataset.h"
#include "sqmax/data/item_table.h"
#include "sqmax/data/stored_table.h"
#include "sqmax/model/in_memory.h"
#include "sqmax/model/model.h"

#include "tests/data/reading.h"
#include "tests/data/zipped.h"
#include "tests/hostile/memory_meter.h"
#include "tests/support/error_of.h"
#include "tests/support/forged_file.h"
#include "tests/support/hostile_file.h"
#include "tests/support/temporary_folder.h"
#include "train/state_file.h"

namespace sqmax {
namespace {

constexpr std::size_t kSmall = 1024;

class TinyFile : public testing::Test {
 protected:
  template <class Load>
  void expect_refused(const std::string& bytes, const Load& load) const {
    ASSERT_LE(bytes.size(), kSmall);
    const auto path = folder_.file("tiny", bytes);
    std::string sentence;
    const std::size_t taken = memory_of([&] { sentence = error_of([&] { load(path); }); });
    EXPECT_NE(sentence, "") << bytes;
    EXPECT_LT(taken, kMegabyte) << sentence;
  }

  TemporaryFolder folder_;
};

// Tensors without bytes may have any shape that has a zero in it.
TEST_F(TinyFile, OfOurKindTakesNoMoreThanItHas) {
  for (const std::string kind : {"model", "dataset", "table", "state"}) {
    const auto load = [&](const std::filesystem::path& path) {
      if (kind == "model") load_model(path);
      if (kind == "dataset") load_dataset(path);
      if (kind == "table") load_table("any", path);
      if (kind == "state")
        read_state(path, [](StateVisitor& visitor) {
          std::vector<float> values(4);
          visitor.visit("P", std::span(values));
        });
    };
    for (const std::string shape : {"[0,1099511627776]", "[9223372036854775807,0]", "[1048576]",
                                    "[4294967296,4294967296,0]"}) {
      std::string tensors;
      for (const std::string name : {"users.offsets", "users.text", "items.offsets", "P"}) {
        tensors += (tensors.empty() ? "" : ",") + forged_tensor(name, "I64", shape, "[0,0]");
      }
      expect_refused(forged_file(forged_header(kind, tensors), ""), load);
    }
  }
}

// Who copies files looks at their beginning first.
TEST_F(TinyFile, GrownLargeIsNotCopiedToSeeThatItIsNone) {
  const auto path = folder_.file("large", "not a model");
  // of nothing, on disk, and more than there is memory
  std::filesystem::resize_file(path, std::uintmax_t{256} << 30);
  std::string sentence;
  const std::size_t taken =
      memory_of([&] { sentence = error_of([&] { load_model_in_memory(path); }); });
  EXPECT_THAT(sentence, testing::HasSubstr("large: it does not begin like"));
  EXPECT_LT(taken, kMegabyte) << sentence;
}

TEST_F(TinyFile, WithoutRowsHasNoLongOnes) {
  Model model;
  model.P = {0, 1 << 20, {}};
  model.Q = {0, 1 << 20, {}};
  save_model(model, folder_ / "model");
  EXPECT_THAT(error_of([&] { load_model(folder_ / "model"); }), testing::HasSubstr("longer rows"));
}

// Why it was refused.
std::string expect_little(const std::string& text, std::size_t megabytes) {
  EXPECT_LE(text.size(), kSmall);
  std::string sentence;
  const std::size_t taken = memory_of([&] { sentence = error_of_text(text); });
  EXPECT_NE(sentence, "");
  EXPECT_LT(taken, megabytes * kMegabyte) << sentence;
  return sentence;
}

TEST(TinyText, WithSizesBeyondAllBoundsIsRefused) {
  expect_little(
      "%%MatrixMarket matrix coordinate pattern general\n"
      "9223372036854775807 9223372036854775807 9223372036854775807\n1 1\n",
      8);
}

std::vector<ZipText> matrix_of(const std::string& indptr, const std::string& shape) {
  return {{"indices.npy", npy("<i4", "1,", bytes_of<std::int32_t>({0}))},
          {"indptr.npy", indptr},
          {"format.npy", npy("|S3", "", "csr")},
          {"shape.npy", npy("<i8", "2,", shape)},
          {"data.npy", npy("<f8", "1,", bytes_of<double>({1}))}};
}

// A deflated byte is a thousand lines, and a line was once eight bytes in memory.
TEST(TinyText, OfManyEmptyLinesIsReadInPieces) {
  const std::string shape = bytes_of<std::int64_t>({std::int64_t{1} << 40, std::int64_t{1} << 40});
  const std::string lines(std::size_t{1} << 24, '\0');
  const std::string archive =
      zip(matrix_of(npy("|i1", std::to_string(lines.size()) + ",", lines), shape), true, false);
  EXPECT_LT(archive.size(), 20 * kSmall);
  std::string sentence;
  const std::size_t taken = memory_of([&] { sentence = error_of_text(archive); });
  EXPECT_THAT(sentence, testing::HasSubstr("indptr is damaged"));
  EXPECT_LT(taken, 8 * kMegabyte);
}

TEST(TinyText, WithArraysThatAreNotThereIsRefused) {
  const std::string shape = bytes_of<std::int64_t>({9, 9});
  for (const std::string count : {"1152921504606846976", "9223372036854775807", "-1", "1e9"}) {
    expect_little(zip(matrix_of(npy("<i8", count + ",", ""), shape), true, false), 8);
  }
}

// Blocks of zstd that repeat one byte: four bytes for 131,072.
std::string repeated(int blocks) {
  std::string frame("\x28\xB5\x2F\xFD\x00\x38", 6);  // a window of 128 KiB
  for (int b = 0; b < blocks; ++b) {
    const bool is_last = b + 1 == blocks;
    const std::uint32_t head = (0x20000U << 3U) | (1U << 1U) | (is_last ? 1U : 0U);
    for (unsigned byte = 0; byte < 3; ++byte)
      frame.push_back(static_cast<char>(head >> (8 * byte)));
    frame.push_back('x');
  }
  return frame;
}

TEST(TinyText, OfOneLetterTakesWhatItUnpacksTo) {
  expect_little(repeated(250), 160);
  expect_little(gzip(std::string(kMegabyte - 65536, 'x')), 8);
}

TEST(TinyText, OfAWindowBeyondBoundsIsRefused) {
  std::string frame = repeated(2);
  for (const unsigned exponent : {18U, 22U, 31U}) {  // 2^(10 + it)
    frame[5] = static_cast<char>(exponent << 3U);
    EXPECT_THAT(expect_little(frame, 8), testing::HasSubstr("zstd data is damaged")) << exponent;
  }
}

class TinyTable : public testing::Test {
 protected:
  static IdTable some_items() {
    IdMap map;
    for (int i = 0; i < 10000; ++i) map.insert(std::to_string(i));
    return map.table();
  }

  // The sentence that refuses it, which takes no more memory than this.
  std::string refusal(const std::string& bytes, std::size_t megabytes) const {
    const auto path = folder_.file("titles.tsv", bytes);
    std::string sentence;
    const std::size_t taken =
        memory_of([&] { sentence = error_of([&] { read_item_table(path.string(), items_); }); });
    EXPECT_LT(taken, megabytes * kMegabyte) << sentence;
    return sentence;
  }

  TemporaryFolder folder_;
  IdTable items_ = some_items();
};

TEST_F(TinyTable, OfManyColumnsIsRefused) {
  EXPECT_THAT(refusal("1" + std::string(kSmall - 1, '\t'), 2), testing::HasSubstr("1024 columns"));
}

TEST_F(TinyTable, ThatUnpacksOutOfProportionIsRefused) {
  EXPECT_THAT(refusal(gzip(std::string(48 * kMegabyte, 'x')), 52),
              testing::HasSubstr("more than 100 times its size"));
}

// A line or a field was once sixteen bytes in memory, however short.
TEST_F(TinyTable, OfSeparatorsTakesWhatItUnpacksTo) {
  for (const std::string start : {"", "1", "none", "item_id"}) {
    for (const char separator : {'\n', '\t'}) {
      EXPECT_NE(refusal(gzip(start + std::string(12 * kMegabyte, separator)), 34), "");
    }
  }
}

TEST_F(TinyTable, OfMoreThanAGigabyteIsRefusedBeforeItIsRead) {
  const auto path = folder_.file("large.tsv", "");
  std::filesystem::resize_file(path, (std::uintmax_t{1} << 30) + 1);
  std::string sentence;
  const std::size_t taken =
      memory_of([&] { sentence = error_of([&] { read_item_table(path.string(), items_); }); });
  EXPECT_THAT(sentence, testing::HasSubstr("large.tsv has more than 1024 MB"));
  EXPECT_LT(taken, 2 * kMegabyte);
}

}  // namespace
}  // namespace sqmax
