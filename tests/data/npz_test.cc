// SciPy's npz: archives made here byte by byte, stored or deflated, whole or damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/reading.h"
#include "tests/data/zipped.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// 3 × 12: (0,11)=5  (2,0)=0  (2,7)=1.5
std::vector<ZipText> compressed_entries(const std::string& kind) {
  const auto begins = kind == "csr"
                          ? bytes_of<std::int32_t>({0, 1, 1, 3})
                          : bytes_of<std::int32_t>({0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3});
  const auto indices =
      kind == "csr" ? bytes_of<std::int32_t>({11, 0, 7}) : bytes_of<std::int32_t>({2, 2, 0});
  const auto data = kind == "csr" ? bytes_of<double>({5, 0, 1.5}) : bytes_of<double>({0, 1.5, 5});
  return {{"indices.npy", npy("<i4", "3,", indices)},
          {"indptr.npy", npy("<i4", kind == "csr" ? "4," : "13,", begins)},
          {"format.npy", npy("|S3", "", kind)},
          {"shape.npy", npy("<i8", "2,", bytes_of<std::int64_t>({3, 12}))},
          {"data.npy", npy("<f8", "3,", data)}};
}

std::vector<ZipText> coordinate_entries() {
  return {{"row.npy", npy("<i8", "2,", bytes_of<std::int64_t>({1, 0}))},
          {"col.npy", npy("<i8", "2,", bytes_of<std::int64_t>({0, 1}))},
          {"format.npy", npy("<U3", "", std::string("c\0\0\0o\0\0\0o\0\0\0", 12))},
          {"shape.npy", npy("<i8", "2,", bytes_of<std::int64_t>({2, 2}))},
          {"data.npy", npy("|b1", "2,", std::string("\x01\x01"))}};
}

TEST(Npz, EveryKindOfMatrixAndArchive) {
  for (const bool deflated : {false, true}) {
    for (const bool zip64 : {false, true}) {
      EXPECT_THAT(rows_of(zip(compressed_entries("csr"), deflated, zip64)),
                  ElementsAre("0 11", "2 7"));
      EXPECT_THAT(rows_of(zip(compressed_entries("csc"), deflated, zip64)),
                  ElementsAre("2 7", "0 11"));
      EXPECT_THAT(rows_of(zip(coordinate_entries(), deflated, zip64)), ElementsAre("1 0", "0 1"));
    }
  }
}

TEST(Npz, ValuesAreRatings) {
  const auto result = read_text(zip(compressed_entries("csr"), true, false), {.min_rating = 2.0});
  EXPECT_THAT(rows_of(result.interactions), ElementsAre("0 11"));
  EXPECT_EQ(result.report.below_min_rating, 1);
  ASSERT_EQ(result.report.dropped.size(), 1U);
  EXPECT_THAT(result.report.dropped[0].reason, HasSubstr("zero"));
}

TEST(Npz, ValuesThatDifferAreMentioned) {
  const std::string matrix = zip(compressed_entries("csr"), true, false);
  EXPECT_THAT(sentence_of(read_text(matrix).report, "weights-not-used"),
              AllOf(HasSubstr("'data'"), HasSubstr("from 1.5 to 5")));
  EXPECT_FALSE(has_finding(read_text(matrix, {.rating = "none"}).report, "weights-not-used"));
  const std::string flags = zip(coordinate_entries(), true, false);
  EXPECT_FALSE(has_finding(read_text(flags).report, "weights-not-used"));
}

TEST(Npz, PackedOnceMoreIsRefused) {
  const std::string archive = zip(compressed_entries("csr"), true, false);
  EXPECT_THAT(error_of_text(gzip(archive)), HasSubstr("packed once more"));
  EXPECT_THAT(error_of_text(zstd(archive)), HasSubstr("packed once more"));
}

TEST(Npz, LinesWithoutEntriesMayBeAnywhere) {
  auto entries = compressed_entries("csr");
  entries[1].text = npy("<i4", "7,", bytes_of<std::int32_t>({0, 0, 0, 1, 1, 3, 3}));
  entries[3].text = npy("<i8", "2,", bytes_of<std::int64_t>({6, 12}));
  EXPECT_THAT(rows_of(zip(entries, true, false)), ElementsAre("2 11", "4 7"));
  for (const std::vector<std::int32_t>& begins : {std::vector<std::int32_t>{1, 1, 1, 3},
                                                  {0, 1, 1, 2},
                                                  {0, 1, 1, 4},
                                                  {0, 3, 3, 2},
                                                  {0, -1, 1, 3},
                                                  {0, 4, 4, 4}}) {
    entries[1].text = npy("<i4", "4,", bytes_of(begins));
    EXPECT_THAT(error_of_text(zip(entries, true, false)), HasSubstr("indptr is damaged"));
  }
}

TEST(Npz, EveryTruncationIsNoticed) {
  const std::string whole = zip(compressed_entries("csr"), true, true);
  for (std::size_t size = 4; size < whole.size(); ++size) {
    EXPECT_THAT(error_of_text(whole.substr(0, size)), HasSubstr("input")) << size;
  }
}

TEST(Npz, EveryFlippedByteIsNoticedOrHarmless) {
  const std::string whole = zip(compressed_entries("csr"), false, false);
  const auto rows = rows_of(whole);
  for (std::size_t i = 4; i < whole.size(); ++i) {
    std::string bad = whole;
    bad[i] = static_cast<char>(bad[i] ^ 0x41);
    if (!error_of_text(bad).empty()) continue;
    EXPECT_EQ(rows_of(bad), rows) << "byte " << i;
  }
}

TEST(Npz, WrongArraysAreNamed) {
  auto entries = compressed_entries("csr");
  entries[0].text = npy("<i4", "3,", bytes_of<std::int32_t>({12, 0, 7}));
  EXPECT_THAT(error_of_text(zip(entries, true, false)), HasSubstr("outside its shape"));
  entries[0].text = npy("<i4", "2,", bytes_of<std::int32_t>({1, 0}));
  EXPECT_THAT(error_of_text(zip(entries, true, false)), HasSubstr("differ in length"));
  entries = compressed_entries("csr");
  entries[1].text = npy("<i4", "4,", bytes_of<std::int32_t>({0, 2, 1, 3}));
  EXPECT_THAT(error_of_text(zip(entries, true, false)), HasSubstr("indptr is damaged"));
  entries[2].text = npy("|S3", "", "dia");
  EXPECT_THAT(error_of_text(zip(entries, true, false)), HasSubstr("'dia'"));
  entries.erase(entries.begin() + 2);
  EXPECT_THAT(error_of_text(zip(entries, true, false)), HasSubstr("without format.npy"));
}

}  // namespace
}  // namespace sqmax
