// SciPy's npz: archives made here byte by byte, stored or deflated, whole or damaged.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/compressed.h"
#include "tests/data/reading.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string npy(const std::string& type, const std::string& shape, const std::string& elements) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, static_cast<std::uint16_t>(header.size()));
  return out + header + elements;
}

struct Entry {
  std::string name;
  std::string text;
};

// One entry after the other, then the directory; zip64 moves sizes and places to extra fields.
std::string zip(const std::vector<Entry>& entries, bool deflated, bool zip64) {
  std::string out;
  std::string directory;
  for (const Entry& entry : entries) {
    const std::string stored = deflated ? deflate_text(entry.text, -15) : entry.text;
    const auto crc =
        static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(entry.text.data()),
                                           static_cast<uInt>(entry.text.size())));
    const std::uint64_t place = out.size();
    const auto narrow = [&](std::uint64_t v) {
      return zip64 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(v);
    };
    std::string common;
    put<std::uint16_t>(common, 45);
    put<std::uint16_t>(common, 0);
    put<std::uint16_t>(common, deflated ? 8 : 0);
    put<std::uint32_t>(common, 0);
    put(common, crc);
    put(common, narrow(stored.size()));
    put(common, narrow(entry.text.size()));
    put(common, static_cast<std::uint16_t>(entry.name.size()));
    std::string extra;
    if (zip64) {
      put<std::uint16_t>(extra, 1);
      put<std::uint16_t>(extra, 24);
      put<std::uint64_t>(extra, entry.text.size());
      put<std::uint64_t>(extra, stored.size());
      put<std::uint64_t>(extra, place);
    }
    put(common, static_cast<std::uint16_t>(extra.size()));
    out += "PK\x03\x04" + common + entry.name + extra + stored;
    directory += "PK\x01\x02";
    put<std::uint16_t>(directory, 45);
    directory += common + std::string(10, '\0');
    put(directory, narrow(place));
    directory += entry.name + extra;
  }
  const std::uint64_t begin = out.size();
  out += directory;
  if (zip64) {
    const std::uint64_t end64 = out.size();
    out += "PK\x06\x06";
    put<std::uint64_t>(out, 44);
    out += std::string(28, '\0');
    put<std::uint64_t>(out, directory.size());
    put(out, begin);
    out += std::string("PK\x06\x07\0\0\0\0", 8);
    put(out, end64);
    put<std::uint32_t>(out, 1);
  }
  out += "PK\x05\x06" + std::string(8, '\0');
  put(out, zip64 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(directory.size()));
  put(out, zip64 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(begin));
  put<std::uint16_t>(out, 0);
  return out;
}

// 3 × 12: (0,11)=5  (2,0)=0  (2,7)=1.5
std::vector<Entry> compressed_entries(const std::string& kind) {
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

std::vector<Entry> coordinate_entries() {
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
