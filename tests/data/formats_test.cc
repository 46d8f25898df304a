// Formats besides delimited text: small files of the shapes that are found in the wild.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/reading.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Adjacency, AUserAndItsItems) {
  EXPECT_THAT(rows_of("0 5 7 9\n1 5\n2\n3 7 8\n"),
              ElementsAre("0 5", "0 7", "0 9", "1 5", "3 7", "3 8"));
  EXPECT_EQ(read_text("0 5 7\n1 5\n").report.format, "adjacency");
  EXPECT_THAT(rows_of("a x y\n", {.format = "adjacency"}), ElementsAre("a x", "a y"));
  EXPECT_THAT(error_of_text("0 5 7\n1 5\n", {.user = "1"}), HasSubstr("--user"));
  EXPECT_THAT(error_of_text("0 5 7\n1 5\n", {.min_rating = 3.0}), HasSubstr("--min-rating"));
}

TEST(Adjacency, EdgeListsAreNotMistakenForIt) {
  EXPECT_EQ(read_text("0 5\n0 7\n1 5\n").report.format, "delimited");
  EXPECT_EQ(read_text("0 5 1\n0 7 1\n1 5 1\n").report.format, "delimited");
}

TEST(MatrixMarket, PatternRealAndSymmetric) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  EXPECT_THAT(rows_of(banner + "pattern general\n% remark\n\n3 4 2\n1 4\n3 2\n"),
              ElementsAre("1 4", "3 2"));
  EXPECT_THAT(rows_of(banner + "real general\n3 4 3\n1 4 2.5\n3 2 0\n2 2 1e0\n"),
              ElementsAre("1 4", "2 2"));
  EXPECT_THAT(rows_of(banner + "integer symmetric\r\n3 3 2\r\n2 1 5\r\n3 3 5\r\n"),
              ElementsAre("2 1", "1 2", "3 3"));
  EXPECT_THAT(rows_of(banner + "integer general\n3 3 2\n2 1 5\n3 3 2\n", {.min_rating = 3.0}),
              ElementsAre("2 1"));
  const auto zeros = read_text(banner + "real general\n1 2 2\n1 1 0\n1 2 1\n").report;
  ASSERT_EQ(zeros.dropped.size(), 1U);
  EXPECT_EQ(zeros.dropped[0].count, 1);
}

TEST(MatrixMarket, DamageIsNamed) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_THAT(error_of_text(banner + "3 4 2\n1 4\n"), HasSubstr("announces 2 entries and has 1"));
  EXPECT_THAT(error_of_text(banner + "3 4 1\n1 5\n"),
              HasSubstr("input:3: its position is outside"));
  EXPECT_THAT(error_of_text(banner + "3 4 1\n0 4\n"), HasSubstr("outside"));
  EXPECT_THAT(error_of_text(banner + "3 4 1\n1 4 7\n"), HasSubstr("input:3: it is not a row"));
  EXPECT_THAT(error_of_text(banner + "3 4\n1 4\n"), HasSubstr("input:2: here must be"));
  EXPECT_THAT(error_of_text(banner), HasSubstr("ends before the sizes"));
  EXPECT_THAT(error_of_text("%%MatrixMarket matrix array real general\n1 1\n1\n"),
              HasSubstr("sparse"));
  EXPECT_THAT(error_of_text("%%MatrixMarket matrix coordinate complex general\n1 1 0\n"),
              HasSubstr("complex"));
  EXPECT_THAT(error_of_text(banner + "3 4 1\n1 4\n", {.min_rating = 1.0}),
              HasSubstr("--min-rating"));
}

TEST(JsonLines, AmazonReviews) {
  const std::string text =
      R"({"reviewerID": "A2", "asin": "B1", "helpful": [2, {"x": "}"}], "reviewText": "a \"b\" {c", "overall": 5.0, "unixReviewTime": 1252800000, "reviewTime": "09 13, 2009"})"
      "\n"
      R"({"reviewerID": "A\u00fc\ud83d\ude00", "asin": "B1", "overall": 2.0, "unixReviewTime": 1252800001})"
      "\n";
  EXPECT_THAT(rows_of(text), ElementsAre("A2 B1 @1252800000", "Aü😀 B1 @1252800001"));
  EXPECT_THAT(rows_of(text, {.min_rating = 3.0}), ElementsAre("A2 B1 @1252800000"));
  EXPECT_EQ(read_text(text).report.columns.rating, "overall");
}

TEST(JsonLines, SteamReviewsArePythonLiterals) {
  const std::string text =
      R"({u'username': u'Chaos "Syren"', u'hours': 0.1, u'product_id': u'725280', u'date': u'2017-12-17', u'early_access': False, u'text': u''})"
      "\n"
      R"({u'username': u"O'Hara\xe9", 'user_id': '77', u'product_id': '328100', u'date': u'2017-08-02', u'x': None,})"
      "\n";
  EXPECT_THAT(rows_of(text),
              ElementsAre("Chaos \"Syren\" 725280 @1513468800", "O'Haraé 328100 @1501632000"));
  EXPECT_THAT(rows_of(text, {.user = "product_id", .item = "username", .time = "none"}),
              ElementsAre("725280 Chaos \"Syren\"", "328100 O'Haraé"));
  EXPECT_THAT(error_of_text(text, {.user = "user_id"}), HasSubstr("input:1: it has no 'user_id'"));
}

TEST(JsonLines, BadLinesAreNamed) {
  const std::string good = "{\"user\": 1, \"item\": \"x\", \"rating\": 3}\n";
  EXPECT_THAT(rows_of(good), ElementsAre("1 x"));
  EXPECT_THAT(error_of_text(good + "[1, 2]\n"), HasSubstr("input:2: it is not an object"));
  EXPECT_THAT(error_of_text(good + "{\"user\": 1\n"),
              HasSubstr("input:2: its object is not closed"));
  EXPECT_THAT(error_of_text(good + "{\"user\": \"1\n"), HasSubstr("input:2: its object ends"));
  EXPECT_THAT(error_of_text(good + good.substr(0, good.size() - 1) + "x\n"),
              HasSubstr("behind its object"));
  EXPECT_THAT(error_of_text(good + "{\"user\": null, \"item\": 1, \"rating\": 1}\n"),
              HasSubstr("input:2: its 'user' is not a text"));
  EXPECT_THAT(error_of_text(good + "{\"user\": \"\\ud800\", \"item\": 1, \"rating\": 1}\n"),
              HasSubstr("input:2: its 'user' is not a text"));
  EXPECT_THAT(error_of_text(good + "{\"user\": \"\", \"item\": 1, \"rating\": 1}\n"),
              HasSubstr("user is empty"));
  EXPECT_THAT(error_of_text(good + "{\"user\": 1, \"item\": 1, \"rating\": NaN}\n"),
              HasSubstr("input:2"));
  EXPECT_THAT(error_of_text("{\"who\": 1, \"what\": 2}\n"), HasSubstr("who, what"));
  EXPECT_THAT(error_of_text("{nothing}\n"), HasSubstr("objects in braces"));
  EXPECT_EQ(read_text(good + "junk\n", {.skip_bad_lines = true}).report.bad_lines, 1);
}

}  // namespace
}  // namespace sqmax
