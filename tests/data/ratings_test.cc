// Ratings and counts: they filter, they never weigh, and whoever has them is told so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/reading.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr auto kKind = "weights-not-used";

std::string remark_on(const std::string& text, const ReadOptions& options = {}) {
  return sentence_of(read_text(text, options).report, kKind);
}

const std::string kMatrix = "%%MatrixMarket matrix coordinate ";

TEST(Ratings, AreMentionedIfTheyDiffer) {
  EXPECT_THAT(remark_on("user,item,stars\n1,2,0.5\n1,3,4\n2,3,3\n"),
              AllOf(HasSubstr("'stars'"), HasSubstr("from 0.5 to 4"), HasSubstr("not used"),
                    HasSubstr("--min-rating")));
  EXPECT_THAT(remark_on("1,2,5\n1,3,4\n"), HasSubstr("'3'"));
  EXPECT_THAT(remark_on("{\"user\": 1, \"item\": 2, \"overall\": -1}\n"
                        "{\"user\": 1, \"item\": 3, \"overall\": 1}\n"),
              AllOf(HasSubstr("'overall'"), HasSubstr("from -1 to 1")));
  EXPECT_THAT(remark_on(kMatrix + "integer symmetric\n3 3 2\n2 1 7\n3 3 2\n"),
              AllOf(HasSubstr("'value'"), HasSubstr("from 2 to 7")));
}

TEST(Ratings, CountsAreRatings) {
  for (const char* name : {"weight", "count", "play_count", "plays", "confidence"}) {
    EXPECT_THAT(remark_on("user,item," + std::string(name) + "\n1,2,1\n1,3,40\n"),
                HasSubstr("from 1 to 40"))
        << name;
  }
}

TEST(Ratings, ThatAreAllAlikeAreNotMentioned) {
  EXPECT_EQ(remark_on("1,2\n1,3\n"), "");
  EXPECT_EQ(remark_on("1,2,1\n1,3,1.0\n2,3,1e0\n"), "");
  EXPECT_EQ(remark_on("user,item,rating\n1,2,5\n"), "");
  EXPECT_EQ(remark_on(kMatrix + "real general\n3 3 2\n2 1 7\n3 3 7\n"), "");
  EXPECT_EQ(remark_on(kMatrix + "pattern general\n3 3 2\n2 1\n3 3\n"), "");
}

// What is dropped or cannot be read has no weight that could be missed.
TEST(Ratings, OnlyThoseOfKeptRowsCount) {
  EXPECT_EQ(remark_on("1,2,5\n1,3,1\n2,3,5\n", {.min_rating = 2.0}), "");
  EXPECT_EQ(remark_on("1,2,5\n,3,1\n2,3,5\n", {.skip_bad_lines = true}), "");
  EXPECT_EQ(remark_on(kMatrix + "real general\n3 3 2\n2 1 7\n3 3 0\n"), "");
}

TEST(Ratings, ThatFilterAreSaidToDoNothingElse) {
  EXPECT_THAT(remark_on("1,2,5\n1,3,1\n2,3,4\n", {.min_rating = 2.0}),
              AllOf(HasSubstr("nothing else"), Not(HasSubstr("--min-rating"))));
}

TEST(Ratings, ThatAreNotWantedAreNotMentioned) {
  EXPECT_EQ(remark_on("user,item,rating\n1,2,5\n1,3,4\n", {.rating = "none"}), "");
  EXPECT_EQ(remark_on(kMatrix + "real general\n3 3 2\n2 1 7\n3 3 2\n", {.rating = "none"}), "");
}

// The smallest and the largest may be in different blocks, or in different files.
TEST(Ratings, TheRangeIsThatOfTheWholeInput) {
  std::string text;
  for (int row = 0; row < 100; ++row)
    text += "1," + std::to_string(row) + "," + std::to_string(row) + "\n";
  for (const std::size_t block : {1U, 16U, 1000U}) {
    EXPECT_THAT(sentence_of(read_text(text, {}, block).report, kKind), HasSubstr("from 0 to 99"));
  }
  const auto read_both = [](const std::string& one, const std::string& two) {
    const PartSources both = {{{"one", one}, {"two", two}}, std::nullopt};
    return sentence_of(read_inputs({both}, {}, {}).report, kKind);
  };
  EXPECT_THAT(read_both("user,item,rating\n1,2,5\n", "user,item,stars\n1,3,4\n"),
              AllOf(HasSubstr("'rating'"), HasSubstr("from 4 to 5")));
  EXPECT_THAT(read_both("user,item\n1,2\n", "user,item,stars\n1,3,4\n1,4,3\n"),
              HasSubstr("'stars'"));
}

TEST(Ratings, AColumnWithoutAMinimumIsRefused) {
  for (const char* text : {"user,item,rating\n1,2,5\n", "1,2,5\n1,3,5\n", "1,2\n"}) {
    EXPECT_THAT(error_of_text(text, {.rating = "3"}),
                AllOf(HasSubstr("--rating 3"), HasSubstr("--min-rating"),
                      HasSubstr("weights of interactions are not supported")))
        << text;
  }
  EXPECT_EQ(error_of_text("user,item,rating\n1,2,5\n", {.rating = "rating", .min_rating = 1.0}),
            "");
}

}  // namespace
}  // namespace sqmax
