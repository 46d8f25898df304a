// What a TSV can hold.
#include "cli/tsv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace sqmax::testing_cli {
namespace {

std::string flaw_of(const std::string& id) {
  IdMap ids;
  ids.insert("before");
  ids.insert(id);
  return error_of([&] { cli::check_fits_tsv(ids.table(), "write JSON"); });
}

TEST(Tsv, HoldsEveryIdButThoseWithATabOrALineEnd) {
  for (const std::string id : {"", "a b", "\"quoted\"", "a\\nb", "naïve", "a\vb"}) {
    EXPECT_EQ(flaw_of(id), "") << id;
  }
  const std::pair<std::string, std::string> refused[] = {
      {"a\tb", R"("a\tb")"}, {"\n", R"("\n")"}, {"a\r", R"("a\r")"}};
  for (const auto& [id, shown] : refused) {
    EXPECT_THAT(flaw_of(id), testing::AllOf(testing::HasSubstr(shown), testing::HasSubstr("JSON")));
  }
}

}  // namespace
}  // namespace sqmax::testing_cli
