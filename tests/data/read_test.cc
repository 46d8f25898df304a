// Reading: the same result for any number of threads and any size of blocks; many files at once.
#include "sqmax/data/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "tests/data/reading.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string random_rows(int count) {
  Random random(3, Purpose::Test);
  std::string text = "user,item,rating,time\r\n";
  for (int i = 0; i < count; ++i) {
    text += "ü" + std::to_string(random.below(97)) + ",\"item, " +
            std::to_string(random.below(131)) + "\"," + std::to_string(random.below(5)) + "," +
            std::to_string(i) + (i % 3 == 0 ? "\r\n" : "\n");
  }
  return text;
}

struct Everything {
  std::vector<Index> users;
  std::vector<Index> items;
  std::vector<std::int64_t> times;
  std::vector<std::string> rows;
  Offset lines;
  Offset bytes;
  Offset dropped;
  bool operator==(const Everything&) const = default;
};

Everything everything(const std::string& text, int threads, std::size_t block_bytes) {
  const ThreadLimit limit(threads);
  const ReadResult result = read_text(text, {.min_rating = 1.0}, block_bytes);
  auto rows = rows_of(result.interactions);
  const auto values = [](const auto& array) { return std::vector(array.begin(), array.end()); };
  return {values(result.interactions.users),
          values(result.interactions.items),
          values(result.interactions.times),
          std::move(rows),
          result.report.lines,
          result.report.bytes,
          result.report.below_min_rating};
}

TEST(Read, ThreadsAndBlocksDoNotMatter) {
  const std::string text = random_rows(3000);
  const Everything once = everything(text, 1, kBlockBytes);
  EXPECT_EQ(once.rows.size() + at(once.dropped), 3000U);
  EXPECT_EQ(once.lines, 3001);
  for (const int threads : {1, 3}) {
    for (const std::size_t block : {1U, 7U, 64U, 1000U, 65536U}) {
      EXPECT_EQ(everything(text, threads, block), once)
          << threads << " threads, blocks of " << block;
    }
  }
}

TEST(Read, PositionsAreByFirstAppearance) {
  const auto result = read_text("b,y\na,x\nb,x\n", {}, 1);
  EXPECT_THAT(result.interactions.users.span(), ElementsAre(0, 1, 0));
  EXPECT_THAT(result.interactions.items.span(), ElementsAre(0, 1, 1));
  EXPECT_EQ(result.interactions.user_ids[0], "b");
  EXPECT_EQ(result.interactions.item_ids[1], "x");
}

TEST(Read, LineNumbersAreRightAcrossBlocks) {
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    for (const std::size_t block : {1U, 5U, 100U, 5000U}) {
      std::string text = "# comment\nuser,item,rating\n";
      for (int i = 0; i < 500; ++i) text += "1,2,3\n\n";
      text += "1,2,oops\n";
      for (int i = 0; i < 500; ++i) text += "1,2\n";
      try {
        read_text(text, {}, block);
        FAIL() << "the bad line was read";
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("input:1003: the rating 'oops'")) << block;
      }
    }
  }
}

TEST(Read, FilesShareTheirIds) {
  const TemporaryFolder folder;
  const auto a = folder.file("a.csv", "user,item,time\n1,x,5\n2,y,6\n").string();
  const auto b = folder.file("b.tsv", "2\tx\t5\t7\n3\tz\t5\t8\n").string();
  const auto empty = folder.file("c.csv", "").string();
  const auto result = read_interactions({a, b, empty}, {});
  EXPECT_THAT(rows_of(result.interactions), ElementsAre("1 x @5", "2 y @6", "2 x @7", "3 z @8"));
  EXPECT_EQ(result.interactions.user_ids.size(), 3);
  EXPECT_THAT(result.report.files, ElementsAre(a, b, empty));
  EXPECT_TRUE(has_finding(result.report, "empty-file"));
}

TEST(Read, TimesOfSomeFilesAreNotUsed) {
  const TemporaryFolder folder;
  const auto a = folder.file("a.csv", "user,item,time\n1,x,5\n").string();
  const auto b = folder.file("b.csv", "user,item\n2,x\n").string();
  for (const auto& paths : {std::vector{a, b}, std::vector{b, a}, std::vector{b, a, b}}) {
    const auto result = read_interactions(paths, {});
    EXPECT_TRUE(result.interactions.times.empty());
    EXPECT_TRUE(has_finding(result.report, "times-ignored"));
  }
}

TEST(Read, ASplitMayBeFiles) {
  const TemporaryFolder folder;
  const auto train = folder.file("train.csv", "user,item,split\n1,x,5\n2,y,6\n").string();
  const auto valid = folder.file("valid.csv", "user,item\n2,x\n").string();
  const auto test = folder.file("test.csv", "user,item\n1,z\n").string();
  const auto result = read_split_files({{train}, {valid}, {test}}, {});
  EXPECT_THAT(rows_of(result.interactions), ElementsAre("1 x /0", "2 y /0", "2 x /1", "1 z /2"));
  EXPECT_EQ(result.interactions.item_ids.size(), 3);
  EXPECT_THROW(read_split_files({{train}, {valid}, {test}}, {.split = "split"}), Error);
  EXPECT_THROW(read_split_files({{}, {valid}, {test}}, {}), Error);
}

TEST(Read, SplitColumnsMustBeInAllFiles) {
  const TemporaryFolder folder;
  const auto a = folder.file("a.csv", "user,item,split\n1,x,test\n").string();
  const auto b = folder.file("b.csv", "user,item\n2,x\n").string();
  EXPECT_THROW(read_interactions({a, b}, {}), Error);
  EXPECT_THROW(read_interactions({b, a}, {}), Error);
}

TEST(Read, ProgressIsHeardAndCanStop) {
  const TemporaryFolder folder;
  const auto path = folder.file("a.csv", random_rows(1000)).string();
  std::int64_t done = 0;
  std::int64_t total = 0;
  read_interactions({path}, {}, [&](const ProgressEvent& event) {
    EXPECT_GE(event.done, done);
    done = event.done;
    total = event.total;
    return Next::Continue;
  });
  EXPECT_EQ(done, total);
  EXPECT_EQ(total, static_cast<std::int64_t>(std::filesystem::file_size(path)));
  EXPECT_THROW(read_interactions({path}, {}, [](const ProgressEvent&) { return Next::Stop; }),
               Error);
}

// Behind its lines the file has a hole, which takes no place on the disk.
TEST(Read, ALineWithoutAnEndIsRefusedBeforeItFillsTheMemory) {
  const TemporaryFolder folder;
  const auto path = folder.file("a.csv", random_rows(10'000));
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  for (const bool skips : {false, true}) {
    EXPECT_THAT(error_of([&] {
                  read_interactions({path.string()},
                                    {.format = "delimited", .skip_bad_lines = skips});
                }),
                HasSubstr("a.csv has a line of more than 268435456 bytes."));
  }
}

TEST(Read, EveryFormatRecognisesItsExample) {
  for (const FormatSpec& spec : formats()) {
    EXPECT_FALSE(spec.description.empty()) << spec.name;
    if (spec.name == "npz" || spec.name == "mediawiki") continue;  // no text, or three of them
    const auto result = read_text(spec.example);
    EXPECT_EQ(result.report.format, spec.name);
    EXPECT_GT(result.report.read, 0) << spec.name;
  }
}

}  // namespace
}  // namespace sqmax
