// sqmax evaluate: metrics with intervals, values of every user, and two models side by side.
#include <numeric>

#include "sqmax/rank/metric.h"

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class EvaluateTest : public ProgramTest {
 protected:
  EvaluateTest() { train(); }
  Json evaluate(const std::string& options = "") const {
    return json_of("evaluate %/model.safetensors %/data.safetensors " + options);
  }
};

TEST_F(EvaluateTest, GivesEveryMetricAndAnIntervalAroundThoseOfUsers) {
  std::string names;
  for (const MetricSpec& metric : metrics()) {
    names += std::string(names.empty() ? "" : ",") + std::string(metric.name) + "@5";
  }
  const Json document = evaluate("--metrics " + names);
  EXPECT_EQ(document["part"], "test");
  EXPECT_GT(document["users"], 30);
  ASSERT_EQ(document["metrics"].size(), metrics().size());
  for (const MetricSpec& metric : metrics()) {
    const std::string name = std::string(metric.name) + "@5";
    const double value = document["metrics"][name];
    EXPECT_EQ(document["intervals"].contains(name), metric.of_user != nullptr) << name;
    if (metric.of_user == nullptr) continue;
    EXPECT_LT(document["intervals"][name][0], value) << name;
    EXPECT_GT(document["intervals"][name][1], value) << name;
  }
}

TEST_F(EvaluateTest, PartsAreDifferentPeopleAreNot) {
  const Json test = evaluate();
  const Json valid = evaluate("--part valid");
  EXPECT_EQ(valid["part"], "valid");
  EXPECT_NE(valid["metrics"], test["metrics"]);
  const Json story = json_of("inspect %/model.safetensors")["story"];
  EXPECT_EQ(test["metrics"]["ndcg@10"], story["test"]["ndcg@10"]);
  EXPECT_EQ(valid["metrics"]["ndcg@10"], story["valid"]["ndcg@10"]);
}

TEST_F(EvaluateTest, SeedsMoveIntervalsAndNothingElse) {
  const Json one = evaluate("--seed 1");
  EXPECT_EQ(one, evaluate("--seed 1"));
  const Json two = evaluate("--seed 2");
  EXPECT_EQ(one["metrics"], two["metrics"]);
  EXPECT_NE(one["intervals"], two["intervals"]);
}

TEST_F(EvaluateTest, TheMeanOfTheUsersIsTheMetric) {
  const Json document = evaluate("--metrics ndcg@10,coverage@3,recall@5 --per-user %/users.tsv");
  const auto lines = lines_of(contents(folder_ / "users.tsv"));
  ASSERT_EQ(lines.size(), 1u + document["users"].get<std::size_t>());
  EXPECT_EQ(lines[0], "user\tndcg@10\trecall@5");
  double ndcg = 0.0;
  double recall = 0.0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::istringstream in(lines[i]);
    std::string user;
    double first = 0.0;
    double second = 0.0;
    in >> user >> first >> second;
    EXPECT_THAT(user, testing::StartsWith("u"));
    ndcg += first;
    recall += second;
  }
  const double users = document["users"];
  // Six digits in the file.
  EXPECT_NEAR(ndcg / users, document["metrics"]["ndcg@10"], 1e-6);
  EXPECT_NEAR(recall / users, document["metrics"]["recall@5"], 1e-6);
}

TEST_F(EvaluateTest, AMetricWithoutUsersNeedsNoInterval) {
  const Json document = evaluate("--metrics coverage@5 --per-user %/users.tsv");
  EXPECT_EQ(document["metrics"].size(), 1u);
  EXPECT_TRUE(document["intervals"].empty());
  EXPECT_THAT(contents(folder_ / "users.tsv"), HasSubstr("user\n"));
}

TEST_F(EvaluateTest, ComparesTwoModelsUserByUser) {
  output_of("train %/data.safetensors -o %/popular.safetensors --loss popularity --no-tune");
  const std::string names = "--metrics ndcg@10,recall@10 ";
  const Json rival = json_of("evaluate %/popular.safetensors %/data.safetensors " + names);
  const Json both = evaluate(names + "--against %/popular.safetensors");
  EXPECT_EQ(both["against"]["model"], (folder_ / "popular.safetensors").string());
  for (const char* name : {"ndcg@10", "recall@10"}) {
    const Json& row = both["against"]["differences"][name];
    const double mine = both["metrics"][name];
    const double theirs = rival["metrics"][name];
    EXPECT_NEAR(row["difference"], mine - theirs, 1e-12);
    EXPECT_GT(row["difference"], 0.0) << "groups are easy to see; popularity cannot";
    EXPECT_LE(row["interval"][0], row["difference"]);
    EXPECT_GE(row["interval"][1], row["difference"]);
    EXPECT_GT(row["p"], 0.0);
    EXPECT_LT(row["p"], 0.05);
  }
  const Json itself = evaluate(names + "--against %/model.safetensors");
  EXPECT_EQ(itself["against"]["differences"]["ndcg@10"]["difference"], 0.0);
  EXPECT_EQ(itself["against"]["differences"]["ndcg@10"]["p"], 1.0);
  const std::string text =
      output_of("evaluate %/model.safetensors %/data.safetensors --against %/popular.safetensors");
  EXPECT_THAT(text, AllOf(HasSubstr("more than "), HasSubstr("popular.safetensors"),
                          HasSubstr("difference"), HasSubstr("ndcg@10")));
}

TEST_F(EvaluateTest, OtherDataAreRefused) {
  folder_.file("other.tsv", small_table() + "u1\tsomething new\n");
  output_of("prepare %/other.tsv -o %/other.safetensors");
  expect_sentence(run("evaluate %/model.safetensors %/other.safetensors"), "other data");
}

TEST_F(EvaluateTest, AnEmptyPartIsRefused) {
  output_of("prepare %/small.tsv --split none -o %/whole.safetensors");
  expect_sentence(run("evaluate %/model.safetensors %/whole.safetensors"), "held-out");
}

// People that never trained are folded in from their history, and still find their group.
TEST_F(EvaluateTest, HeldOutUsersAreFoldedIn) {
  output_of("prepare %/small.tsv --split strong --ratio 0.6,0.2,0.2 -o %/strong.safetensors");
  output_of("train %/strong.safetensors -o %/a.safetensors --rank 4 --no-tune");
  output_of("train %/strong.safetensors -o %/b.safetensors --loss popularity --no-tune");
  const Json a = json_of("evaluate %/a.safetensors %/strong.safetensors --metrics recall@8");
  const Json b = json_of("evaluate %/b.safetensors %/strong.safetensors --metrics recall@8");
  EXPECT_GT(a["users"], 0);
  EXPECT_GT(a["metrics"]["recall@8"], b["metrics"]["recall@8"]);
}

}  // namespace
}  // namespace sqmax::testing_cli
