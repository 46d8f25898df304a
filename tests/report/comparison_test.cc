// Comparison: who is best and by how much, tables, JSON there and back, figures.
#include "sqmax/report/comparison.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/json.h"
#include "report/method_store.h"
#include "report/svg.h"
#include "tests/report/example.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Standings, AreDifferencesToTheBestUserByUser) {
  const Comparison comparison = example_comparison();
  EXPECT_EQ(best_of(comparison), 1u);
  const auto all = standings(comparison);
  EXPECT_EQ(all[1].against_best.difference, 0.0);
  EXPECT_EQ(all[1].p_adjusted, 1.0);
  EXPECT_NEAR(all[0].against_best.difference, -0.1, 1e-12);
  EXPECT_NEAR(all[0].against_best.interval.low, -0.1, 1e-12);
  EXPECT_LT(all[0].against_best.p_value, 0.001);
}

// Two comparisons: the smaller p counts twice, the larger once, but not less than the smaller.
TEST(Standings, AreAdjustedForTheirNumber) {
  Comparison comparison = example_comparison();
  std::vector<double>& fair = comparison.methods[0].user_values;
  fair = comparison.methods[1].user_values;
  for (std::size_t u = 0; u < 6; ++u) fair[u] -= 0.1;  // a sign flip has 64 outcomes
  const auto all = standings(comparison);
  const double larger = all[0].against_best.p_value;
  const double smaller = all[2].against_best.p_value;
  ASSERT_LT(smaller, larger);
  EXPECT_NEAR(all[2].p_adjusted, std::min(2 * smaller, 1.0), 1e-12);
  EXPECT_NEAR(all[0].p_adjusted, std::max(larger, 2 * smaller), 1e-12);
}

TEST(Standings, SayWhenNearlyAllWasReached) {
  const auto all = standings(example_comparison());
  for (const Standing& each : all) EXPECT_EQ(each.seconds_to_95, 0.2);
  EXPECT_EQ(all[1].seconds_to_95_best, 0.2);
  EXPECT_TRUE(std::isnan(all[2].seconds_to_95_best));
}

TEST(UserSpread, CountsUsersAboveEachShare) {
  const UserSpread spread = spread_of({0.0, 0.0, 0.05, 0.5, 1.0});
  EXPECT_EQ(spread.quartiles, (std::vector<double>{0.0, 0.05, 0.5}));
  ASSERT_EQ(spread.above.size(), 20u);
  EXPECT_EQ(spread.above[0], 0.6);
  EXPECT_EQ(spread.above[1], 0.4);
  EXPECT_EQ(spread.above[19], 0.2);
  EXPECT_TRUE(spread_of({}).above.empty());
}

TEST(Leaderboard, HasTheBestFirstAndACellForEveryColumn) {
  const Table table = leaderboard(example_comparison());
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0][0], "good");
  EXPECT_EQ(table.rows[2][0], "poor");
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
  EXPECT_THAT(
      to_report_markdown(example_comparison()),
      AllOf(HasSubstr("| good |"), HasSubstr("Solvers of rg2"), HasSubstr("sqmax compare")));
}

TEST(StoredMethod, ComesBackAsItWas) {
  const TemporaryFolder folder;
  const MethodStore store(folder / "methods", {{"seed", 1}});
  EXPECT_FALSE(store.find("good"));
  const MethodResult method = example_comparison().methods[1];
  store.keep(method);
  const auto back = store.find("good");
  ASSERT_TRUE(back);
  EXPECT_EQ(stored(*back), stored(method));
  EXPECT_EQ(back->user_values, method.user_values);
  EXPECT_EQ(back->trials[0].options, method.trials[0].options);
}

TEST(StoredMethod, OfOtherSettingsIsRefusedByName) {
  const TemporaryFolder folder;
  MethodStore(folder.path(), {{"metrics", "a"}, {"seed", 1}}).keep(example_comparison().methods[0]);
  const MethodStore other(folder.path(), {{"metrics", "a"}, {"seed", 2}});
  EXPECT_THAT(error_of([&] { other.find("fair"); }),
              AllOf(HasSubstr("fair.json"), HasSubstr("its seed was 1 and is now 2"),
                    HasSubstr("-o another folder")));
}

TEST(StoredMethod, ThatIsDamagedIsNotBelieved) {
  const TemporaryFolder folder;
  const MethodStore store(folder.path(), {{"seed", 1}});
  for (const char* text : {"", "{", "[]", "{\"protocol\": {\"seed\": 1}, \"method\": {}}",
                           "{\"protocol\": {\"seed\": 1}, \"method\": {\"loss\": 3}}"}) {
    folder.file("rgp.json", text);
    EXPECT_THAT(error_of([&] { store.find("rgp"); }), HasSubstr("remove it to begin anew")) << text;
  }
  std::filesystem::create_directory(folder / "rg2.json");
  EXPECT_THAT(error_of([&] { store.find("rg2"); }), HasSubstr("rg2.json is not a regular file"));
}

TEST(Page, IsOneFileWithSafeData) {
  const std::string page = to_page(example_comparison());
  for (const char* mark : {"{{", "}}</", " src=", "url(", "@import", "fetch(", "XMLHttp"}) {
    const std::string ours = page.substr(page.find("id=\"data\""));
    EXPECT_THAT(ours, Not(HasSubstr(mark)));
  }
  EXPECT_EQ(page.find("data </script>"), std::string::npos);
  const std::string begin = "type=\"application/json\">";
  const std::size_t from = page.find(begin) + begin.size();
  const Json data = Json::parse(page.substr(from, page.find("</script>", from) - from));
  EXPECT_EQ(data["title"], example_comparison().title);
  EXPECT_EQ(data["results"].size(), 3u);
  EXPECT_EQ(data["races"][0]["solvers"][1]["points"][1]["gap"], 0.5);
}

TEST(Svg, HasAMarkForEveryPointThatItsAxesCanShow) {
  const Plot plot{.title = "a & b",
                  .log_x = true,
                  .series = {{.name = "<one>", .points = {{1.0, 2.0}, {0.0, 3.0}, {10.0, 4.0}}},
                             {.name = "alone", .points = {{5.0, NAN}}}}};
  const std::string svg = to_svg(plot);
  std::size_t marks = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos;
       at = svg.find("<circle", at + 1))
    ++marks;
  EXPECT_EQ(marks, 2u + 2u);  // points, and a chip for each name
  EXPECT_THAT(svg, AllOf(HasSubstr("a &amp; b"), HasSubstr("&lt;one&gt;"), Not(HasSubstr("nan"))));
}

TEST(Figures, AreOneForEachQuestion) {
  std::vector<std::string> names;
  for (const Figure& figure : figures(example_comparison())) names.push_back(figure.name);
  EXPECT_THAT(names, testing::ElementsAre("convergence", "cost", "solvers-rg2"));
}

}  // namespace
}  // namespace sqmax
