// Input streams: compression is transparent, and damage is a sentence that names the file.
#include "data/read/input_stream.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/compressed.h"
#include "tests/data/reading.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

std::string text_of(const std::string& stored) {
  InputStream input(RawBytes::memory("input", stored));
  std::string text;
  std::vector<char> piece(7);
  while (const std::size_t got = input.read(piece)) text.append(piece.data(), got);
  return text;
}

std::string many_rows() {
  std::string text;
  for (int i = 0; i < 50000; ++i) {
    text += std::to_string(i % 977) + "," + std::to_string(i % 1013) + "\n";
  }
  return text;
}

TEST(InputStream, CompressionIsTransparent) {
  const std::string text = many_rows();
  EXPECT_EQ(text_of(text), text);
  EXPECT_EQ(text_of(gzip(text)), text);
  EXPECT_EQ(text_of(zstd(text)), text);
}

TEST(InputStream, MembersAndFramesFollowEachOther) {
  EXPECT_EQ(text_of(gzip("a,b\n") + gzip("") + gzip("c,d\n")), "a,b\nc,d\n");
  EXPECT_EQ(text_of(zstd("a,b\n") + zstd("") + zstd("c,d\n")), "a,b\nc,d\n");
}

TEST(InputStream, TheHeadIsReadAgain) {
  const std::string text = many_rows();
  InputStream input(RawBytes::memory("input", text));
  EXPECT_EQ(input.head(), text.substr(0, InputStream::kHeadBytes));
  input.skip(3);
  std::string rest(text.size(), '\0');
  std::size_t size = 0;
  while (const std::size_t got = input.read(std::span(rest).subspan(size))) size += got;
  EXPECT_EQ(rest.substr(0, size), text.substr(3));
}

TEST(InputStream, EveryTruncationIsNoticed) {
  for (const std::string& whole : {gzip("1,2\n1,3\n2,3\n"), zstd("1,2\n1,3\n2,3\n")}) {
    for (std::size_t size = 4; size < whole.size(); ++size) {
      EXPECT_THAT(error_of_text(whole.substr(0, size)),
                  AnyOf(HasSubstr("input: its gzip data"), HasSubstr("input: its zstd data")))
          << size;
    }
  }
}

TEST(InputStream, ABombDoesNotGoOff) {
  std::string text;
  while (text.size() < std::size_t{80} << 20) text += "user,item\n";
  const std::string bomb = zstd(text);
  EXPECT_LT(bomb.size(), 40000u);
  EXPECT_THAT(error_of_text(bomb), HasSubstr("unpacks to more than 2000 times its size"));
}

TEST(InputStream, DamageIsNoticed) {
  std::string gz = gzip(many_rows());
  gz[gz.size() / 2] = static_cast<char>(gz[gz.size() / 2] ^ 0x55);
  EXPECT_THAT(error_of_text(gz), HasSubstr("gzip data is damaged"));
  EXPECT_THAT(error_of_text(gzip("1,2\n") + "more"), HasSubstr("gzip data is damaged"));
  std::string zst = zstd(many_rows());
  zst[zst.size() / 2] = static_cast<char>(zst[zst.size() / 2] ^ 0x55);
  EXPECT_THAT(error_of_text(zst), HasSubstr("zstd data is damaged"));
}

// A bad line before the damage may be what a pipeline throws although the decoder has thrown, too.
TEST(InputStream, DamageIsToldAgain) {
  std::string gz = gzip(many_rows());
  gz[gz.size() / 2] = static_cast<char>(gz[gz.size() / 2] ^ 0x55);
  InputStream input(RawBytes::memory("input", gz));
  std::vector<char> piece(4096);
  const auto read_all = [&] {
    while (input.read(piece) > 0) {
    }
  };
  EXPECT_THROW(read_all(), Error);
  try {
    input.check_rest();
    FAIL() << "nothing was told";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gzip data is damaged"));
  }
}

TEST(InputStream, FilesThatCannotBeReadAreNamed) {
  const TemporaryFolder folder;
  const auto sentence = [](const std::filesystem::path& path) -> std::string {
    try {
      read_interactions({path.string()}, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(sentence(folder / "absent.csv"), HasSubstr("absent.csv: there is no such file"));
  EXPECT_THAT(sentence(folder.path()), HasSubstr("it is a directory"));
  EXPECT_THAT(sentence(folder.file("empty.csv", "")), HasSubstr("empty.csv is empty"));
}

TEST(InputStream, NamesDoNotMatter) {
  const TemporaryFolder folder;
  const auto read = [](const std::filesystem::path& path) {
    return rows_of(read_interactions({path.string()}, {}).interactions);
  };
  const auto rows = read(folder.file("plain.gz", many_rows()));
  EXPECT_EQ(rows.size(), 50000U);
  EXPECT_EQ(read(folder.file("zipped.csv", gzip(many_rows()))), rows);
  EXPECT_EQ(read(folder.file("frames.txt", zstd(many_rows()))), rows);
}

}  // namespace
}  // namespace sqmax
