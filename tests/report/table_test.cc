// Tables: the same rows for a person, a document and a program.
#include "sqmax/report/table.h"

#include <gtest/gtest.h>

namespace sqmax {
namespace {

TEST(Table, TextIsAlignedWithNumbersToTheRight) {
  const Table table{.header = {"name", "score", "note"},
                    .rows = {{"λ", "1.5", "short"}, {"longer", "-10.25", ""}, {"", "", "x"}}};
  EXPECT_EQ(to_text(table),
            "name     score  note\n"
            "λ          1.5  short\n"
            "longer  -10.25\n"
            "                x\n");
}

TEST(Table, IntervalsAreNumbersAndWordsAreNot) {
  EXPECT_EQ(to_text({.header = {"interval"}, .rows = {{"0.1 – 0.2"}}}), " interval\n0.1 – 0.2\n");
  EXPECT_EQ(to_text({.header = {"interval"}, .rows = {{"0.1"}}}), "interval\n     0.1\n");
  EXPECT_EQ(to_text({.header = {"interval"}, .rows = {{"0.1"}, {"one"}}}), "interval\n0.1\none\n");
}

TEST(Table, MarkdownEscapesItsBars) {
  EXPECT_EQ(to_markdown({.header = {"a|b", "n"}, .rows = {{"x|y", "3"}}}),
            "| a\\|b | n |\n|---|---:|\n| x\\|y | 3 |\n");
}

TEST(Table, CsvQuotesWhatNeedsQuotes) {
  EXPECT_EQ(to_csv({.header = {"a", "b"},
                    .rows = {{"plain", "1,5"}, {"say \"hi\"", "two\nlines"}, {"", "cr\r"}}}),
            "a,b\nplain,\"1,5\"\n\"say \"\"hi\"\"\",\"two\nlines\"\n,\"cr\r\"\n");
}

TEST(Table, NoRowsIsATable) {
  const Table table{.header = {"a", "b"}, .rows = {}};
  EXPECT_EQ(to_text(table), "a  b\n");
  EXPECT_EQ(to_markdown(table), "| a | b |\n|---|---|\n");
  EXPECT_EQ(to_csv(table), "a,b\n");
  EXPECT_EQ(to_text(Table{}), "\n");
}

// A row with too few or too many cells is printed, not a crash.
TEST(Table, RaggedRowsAreHarmless) {
  const Table table{.header = {"a", "b"}, .rows = {{"1"}, {"2", "3", "4"}}};
  EXPECT_EQ(to_text(table), "a  b\n1\n2  3  4\n");
}

}  // namespace
}  // namespace sqmax
