// Delimited text: every dialect gives the same rows, and every bad line is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/reading.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Delimited, EveryDialectGivesTheSameRows) {
  for (const char* text :
       {"user,item,rating,timestamp\n1,10,5,978300760\n2,10,3,978300761\n",
        "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t10\t5\t978300760\n"
        "2\t10\t3\t978300761\n",
        "1::10::5::978300760\n2::10::3::978300761\n", "1;10;5;978300760\n2;10;3;978300761",
        "1|10|5|978300760\n2|10|3|978300761\n",
        "% bip weighted\n% 2 2\n1 10 5  978300760\n2 10 3 978300761\n",
        "# a graph\n1\t10\t5\t978300760\n2\t10\t3\t978300761\n",
        "\xef\xbb\xbfuserId,movieId,rating,timestamp\r\n1,10,5,978300760\r\n\r\n2,10,3,"
        "978300761\r\n",
        "\"user\",\"item\",\"rating\",\"time\"\n\"1\",\"10\",5,\"978300760\"\n\"2\", \"10\" , 3 "
        ",978300761\n",
        "1,10,978300760\n2,10,978300761\n",
        "item,stars,reviewerID,date\n10,5,1,978300760\n10,3,2,978300761\n"}) {
    EXPECT_THAT(rows_of(text), ElementsAre("1 10 @978300760", "2 10 @978300761")) << text;
  }
}

TEST(Delimited, PairsNeedNothingElse) {
  EXPECT_THAT(rows_of("a b\na c\n"), ElementsAre("a b", "a c"));
  EXPECT_THAT(rows_of("source\ttarget\na\tb\n"), ElementsAre("a b"));
  EXPECT_THAT(rows_of("left,right\n1,2\n3,4\n"), ElementsAre("1 2", "3 4"));
}

TEST(Delimited, QuotesHideDelimitersAndQuotes) {
  EXPECT_THAT(rows_of("7,\"Tom, \"\"Dick\"\" & Harry\"\n"), ElementsAre("7 Tom, \"Dick\" & Harry"));
  EXPECT_THAT(rows_of("7\t\"odd\n8\t\"quoted\"\n"), ElementsAre("7 \"odd", "8 quoted"));
  EXPECT_THAT(error_of_text("1,2\n7,\"odd\n"), HasSubstr("input:2: a quoted cell does not end"));
  EXPECT_THAT(error_of_text("1,2\n7,\"odd\"er\n"), HasSubstr("behind a closing quote"));
}

TEST(Delimited, ColumnsAreChosenByNameOrPosition) {
  const std::string text = "who,what,when,how\nann,dune,5,4\nbob,emma,6,1\n";
  ReadOptions options = {
      .user = "who", .item = "what", .rating = "how", .time = "when", .min_rating = 1.0};
  EXPECT_THAT(rows_of(text, options), ElementsAre("ann dune @5", "bob emma @6"));
  options = {.user = "2", .item = "1", .rating = "4", .time = "3", .min_rating = 2.0};
  EXPECT_THAT(rows_of(text, options), ElementsAre("dune ann @5"));
  EXPECT_THAT(error_of_text(text, {.user = "nobody"}), HasSubstr("who, what, when, how"));
  EXPECT_THAT(error_of_text(text, {.user = "5"}), HasSubstr("no column '5'"));
  EXPECT_THAT(error_of_text(text, {.user = "who", .item = "1"}), HasSubstr("another role"));
  EXPECT_THAT(error_of_text("1,2\n", {.user = "nobody", .header = "no"}), HasSubstr("no header"));
}

TEST(Delimited, RowsBelowTheMinimumAreCounted) {
  const auto result = read_text("1,2,5\n1,3,2.5\n2,3,3\n", {.min_rating = 3.0});
  EXPECT_THAT(rows_of(result.interactions), ElementsAre("1 2", "2 3"));
  EXPECT_EQ(result.report.below_min_rating, 1);
  EXPECT_EQ(result.report.read, 2);
  EXPECT_EQ(result.interactions.user_ids.size(), 2);
  EXPECT_THAT(error_of_text("1,2\n", {.min_rating = 3.0}), HasSubstr("--min-rating needs ratings"));
  EXPECT_THAT(error_of_text("1,2,1\n", {.min_rating = 3.0}), HasSubstr("below 3"));
}

TEST(Delimited, ADroppedRowGivesNoPosition) {
  const auto result = read_text("9,9,1\n1,2,5\n9,2,5\n", {.min_rating = 3.0});
  EXPECT_EQ(result.interactions.user_ids[0], "1");
  EXPECT_EQ(result.interactions.user_ids[1], "9");
  EXPECT_EQ(result.interactions.item_ids.size(), 1);
}

TEST(Delimited, ASplitMayBeAColumn) {
  EXPECT_THAT(rows_of("user,item,split\n1,2,Train\n1,3,val\n1,4,DEV\n1,5,validation\n1,6,2\n"),
              ElementsAre("1 2 /0", "1 3 /1", "1 4 /1", "1 5 /1", "1 6 /2"));
  EXPECT_THAT(error_of_text("user,item,split\n1,2,train\n1,3,later\n"),
              HasSubstr("input:3: the split 'later'"));
  EXPECT_THAT(rows_of("user,item,split\n1,2,later\n", {.split = "none"}), ElementsAre("1 2"));
}

TEST(Delimited, TimesAreNumbersOrDates) {
  EXPECT_THAT(rows_of("user,item,date\n1,2,1970-01-02\n1,3,2018-01-31T12:34:56Z\n1,4,-1.5\n"
                      "1,5,2018-01-31 13:34:56.25+01:00\n"),
              ElementsAre("1 2 @86400", "1 3 @1517402096", "1 4 @-2", "1 5 @1517402096"));
  EXPECT_THAT(error_of_text("user,item,date\n1,2,2018-01-31\n1,3,2018-02-30\n"),
              HasSubstr("input:3: the time"));
  const auto result = read_text("user,item,date\n1,2,yesterday\n");
  EXPECT_THAT(result.interactions.times.span(), IsEmpty());
  EXPECT_TRUE(has_finding(result.report, "times-ignored"));
}

TEST(Delimited, BadLinesAreNamed) {
  EXPECT_THAT(error_of_text("1,2,5\n1,3,good\n"), HasSubstr("input:2: the rating 'good'"));
  EXPECT_THAT(error_of_text("1,2,5\n1,3,nan\n"), HasSubstr("input:2: the rating 'nan'"));
  EXPECT_THAT(error_of_text("1,2,inf\n1,3,4\n"), HasSubstr("input:1: the rating 'inf'"));
  EXPECT_THAT(error_of_text("1,2,1e999\n1,3,4\n"), HasSubstr("input:1: the rating '1e999'"));
  EXPECT_THAT(error_of_text("1,2,x\n1,3,4\n1,4,4\n"), HasSubstr("input:1: the rating 'x'"));
  EXPECT_THAT(error_of_text("user,item,rating\n1,2,five\n"),
              HasSubstr("input:2: the rating 'five'"));
  EXPECT_THAT(error_of_text("1,2\n,3\n"), HasSubstr("input:2: the user is empty"));
  EXPECT_THAT(error_of_text("1,2\n4,\n"), HasSubstr("input:2: the item is empty"));
  EXPECT_THAT(error_of_text("1,2\n3,\xff\n"), HasSubstr("input:2: the item is not valid UTF-8"));
  EXPECT_THAT(error_of_text("1,2\n3\n"),
              HasSubstr("input:2: it has 1 column, and the first line has 2"));
  EXPECT_THAT(error_of_text("1,2\n3,4,5\n"), HasSubstr("input:2: it has 3 columns"));
  EXPECT_THAT(error_of_text("1,2\n3,4\n3\t4\n"), HasSubstr("and here by tabs?"));
}

TEST(Delimited, BadLinesAreSkippedAndCounted) {
  std::string text = "user,item,rating\n";
  for (int i = 0; i < 20; ++i) text += "1,2,5\n1,3,bad\n1;2;3\n";
  const auto result = read_text(text, {.skip_bad_lines = true}, 16);
  EXPECT_EQ(result.report.read, 20);
  EXPECT_EQ(result.report.bad_lines, 40);
  EXPECT_EQ(result.report.lines, 61);
  ASSERT_EQ(result.report.first_bad_lines.size(), 10U);
  EXPECT_EQ(result.report.first_bad_lines[0].line, 3);
  EXPECT_EQ(result.report.first_bad_lines[9].line, 16);
  EXPECT_TRUE(has_finding(result.report, "bad-lines"));
  EXPECT_TRUE(has_finding(result.report, "mixed-delimiters"));
}

TEST(Delimited, InputsWithoutRowsAreErrors) {
  EXPECT_EQ(error_of_text(""), "input is empty.");
  EXPECT_THAT(error_of_text("user,item\n"), HasSubstr("no interaction"));
  EXPECT_THAT(error_of_text("# nothing\n"), HasSubstr("comments and no rows"));
  EXPECT_THAT(error_of_text("\n\n\n"), HasSubstr("no rows"));
  EXPECT_THAT(error_of_text("one\ntwo\n"), HasSubstr("one column"));
  EXPECT_THAT(error_of_text(std::string("1,2\0,3\n", 7)), HasSubstr("binary"));
  EXPECT_THAT(error_of_text("\xff\xfe"
                            "1,2\n"),
              HasSubstr("UTF-16"));
  EXPECT_THAT(error_of_text("1,x\n", {.format = "csvx"}), HasSubstr("no format 'csvx'"));
}

TEST(Delimited, NamesThatLookSwappedAreFound) {
  const std::string text = "user,item\n1,2\n";
  EXPECT_TRUE(
      has_finding(read_text(text, {.user = "item", .item = "user"}).report, "transposed-columns"));
  EXPECT_FALSE(has_finding(read_text(text).report, "transposed-columns"));
}

TEST(Delimited, TheReportSaysWhatWasChosen) {
  const ReadReport report = read_text("uid\tsid\tstars\n1\t2\t3\n").report;
  EXPECT_EQ(report.format, "delimited");
  EXPECT_EQ(report.columns.user, "uid");
  EXPECT_EQ(report.columns.item, "sid");
  EXPECT_EQ(report.columns.rating, "stars");
  EXPECT_EQ(report.columns.time, "");
  EXPECT_EQ(report.delimiter, "\t");
  EXPECT_TRUE(report.header);
  EXPECT_THAT(report.files, ElementsAre("input"));
}

}  // namespace
}  // namespace sqmax
