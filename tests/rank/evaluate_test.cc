// evaluate(): every metric equals its definition on a full sort, for hundreds of small problems.
#include "sqmax/rank/evaluate.h"

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"

#include "tests/rank/ranking_problem.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr const char* kAllMetrics =
    "ndcg@1,ndcg@10,ndcg@100,mrr@3,map@10,recall@5,recall@20,precision@5,precision@200,hitrate@1,"
    "popularity@7,coverage@2,coverage@10,gini@2,gini@50";

/// What a metric may depend on, for one user, as sets and lists.
struct Case {
  std::vector<Index> shown;  // the first k places
  std::set<Index> relevant;  // the held-out items
  std::vector<Index> popularity;
  Index k = 0;

  double rel(std::size_t place) const { return relevant.contains(shown[place - 1]) ? 1.0 : 0.0; }
  double hits(std::size_t places) const {
    double sum = 0.0;
    for (std::size_t i = 1; i <= places; ++i) sum += rel(i);
    return sum;
  }
  double possible() const { return std::min<double>(k, static_cast<double>(relevant.size())); }
};

double dcg(const Case& c) {
  double sum = 0.0;
  for (std::size_t i = 1; i <= c.shown.size(); ++i)
    sum += c.rel(i) * std::log(2.0) / std::log(i + 1);
  return sum;
}

double best_dcg(const Case& c) {
  Case best = c;
  best.shown.assign(c.relevant.begin(), c.relevant.end());
  best.shown.resize(static_cast<std::size_t>(c.possible()));
  return dcg(best);
}

double reciprocal_rank(const Case& c) {
  for (std::size_t i = 1; i <= c.shown.size(); ++i) {
    if (c.rel(i) > 0.0) return 1.0 / static_cast<double>(i);
  }
  return 0.0;
}

double average_precision(const Case& c) {
  double sum = 0.0;
  for (std::size_t i = 1; i <= c.shown.size(); ++i) {
    sum += c.rel(i) * c.hits(i) / static_cast<double>(i);
  }
  return sum / c.possible();
}

double mean_popularity(const Case& c) {
  double sum = 0.0;
  for (const Index item : c.shown) sum += c.popularity[at(item)];
  return c.shown.empty() ? 0.0 : sum / static_cast<double>(c.shown.size());
}

const std::map<std::string_view, std::function<double(const Case&)>> kUserDefinitions = {
    {"ndcg", [](const Case& c) { return dcg(c) / best_dcg(c); }},
    {"mrr", reciprocal_rank},
    {"map", average_precision},
    {"recall",
     [](const Case& c) { return c.hits(c.shown.size()) / static_cast<double>(c.relevant.size()); }},
    {"precision", [](const Case& c) { return c.hits(c.shown.size()) / c.k; }},
    {"hitrate", [](const Case& c) { return c.hits(c.shown.size()) > 0.0 ? 1.0 : 0.0; }},
    {"popularity", mean_popularity},
};

using Counts = std::vector<double>;

// Half the mean absolute difference of two items' exposure, relative to the mean exposure.
double gini(const Counts& counts) {
  double differences = 0.0;
  double total = 0.0;
  for (const double a : counts) {
    total += a;
    for (const double b : counts) differences += std::abs(a - b);
  }
  return total > 0.0 ? differences / (2.0 * static_cast<double>(counts.size()) * total) : 0.0;
}

double coverage(const Counts& counts) {
  double shown = 0.0;
  for (const double count : counts) shown += count > 0.0 ? 1.0 : 0.0;
  return shown / static_cast<double>(counts.size());
}

const std::map<std::string_view, std::function<double(const Counts&)>> kExposureDefinitions = {
    {"coverage", coverage},
    {"gini", gini},
};

std::vector<Index> shown_to(const RankingProblem& problem, Index x, Index k) {
  std::vector<Index> shown;
  for (const Ranked& place : problem.ranking(x, problem.seen(x))) shown.push_back(place.item);
  shown.resize(std::min(shown.size(), at(k)));
  return shown;
}

double defined_for_user(const RankingProblem& problem, Index x, const Metric& metric) {
  const auto held_out = problem.test.view().row(x);
  return kUserDefinitions.at(metric.spec.name)({.shown = shown_to(problem, x, metric.k),
                                                .relevant = {held_out.begin(), held_out.end()},
                                                .popularity = problem.popularity,
                                                .k = metric.k});
}

double defined_for_exposure(const RankingProblem& problem, const std::vector<Index>& users,
                            const Metric& metric) {
  Counts counts(at(problem.items()));
  for (const Index x : users) {
    for (const Index item : shown_to(problem, x, metric.k)) counts[at(item)] += 1.0;
  }
  return kExposureDefinitions.at(metric.spec.name)(counts);
}

void expect_definitions(const RankingProblem& problem, const std::vector<Index>& users) {
  const Evaluation evaluation = problem.evaluation(kAllMetrics);
  const auto asked = parse_metrics(kAllMetrics);
  ASSERT_THAT(evaluation.users, ElementsAreArray(users));
  ASSERT_EQ(evaluation.metrics.size(), asked.size());
  Offset column = 0;
  for (std::size_t m = 0; m < asked.size(); ++m) {
    SCOPED_TRACE(asked[m].name);
    ASSERT_EQ(evaluation.metrics[m].name, asked[m].name);
    double mean = 0.0;
    if (asked[m].spec.of_user != nullptr) {
      for (std::size_t i = 0; i < users.size(); ++i) {
        const double value = defined_for_user(problem, users[i], asked[m]);
        ASSERT_NEAR(evaluation.values()(static_cast<Offset>(i), column), value, 1e-12);
        mean += value / static_cast<double>(users.size());
      }
      ASSERT_EQ(evaluation.user_metrics[at(column++)], asked[m].name);
    } else {
      mean = defined_for_exposure(problem, users, asked[m]);
    }
    ASSERT_NEAR(evaluation.metrics[m].mean, mean, 1e-11);
  }
  ASSERT_EQ(evaluation.values().cols, column);
}

TEST(Evaluate, EqualsTheDefinitionsOnRandomProblems) {
  int evaluated = 0;
  for (std::uint64_t row = 0; row < 300; ++row) {
    const auto problem = RankingProblem::any(row);
    std::vector<Index> users;
    for (Index x = 0; x < problem.users(); ++x) {
      if (problem.test.view().row_size(x) > 0) users.push_back(x);
    }
    if (users.empty()) continue;
    ++evaluated;
    SCOPED_TRACE(testing::Message() << "problem " << row);
    expect_definitions(problem, users);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(evaluated, 250);
}

TEST(Evaluate, EveryMetricOfTheRegistryHasADefinitionHere) {
  for (const MetricSpec& spec : metrics()) {
    EXPECT_TRUE(kUserDefinitions.contains(spec.name) || kExposureDefinitions.contains(spec.name))
        << "write down the definition of " << spec.name;
    EXPECT_THAT(kAllMetrics, testing::HasSubstr(std::string(spec.name) + "@"));
  }
}

TEST(Evaluate, TheSameBytesForAnyNumberOfThreads) {
  RankingProblem problem(500, 200, 7, 1);
  for (float& value : problem.Q.values()) value += static_cast<float>(problem.random.normal());
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return problem.evaluation(kAllMetrics);
  };
  const Evaluation one = run(1);
  const Evaluation three = run(3);
  EXPECT_EQ(one.user_values, three.user_values);
  for (std::size_t m = 0; m < one.metrics.size(); ++m) {
    EXPECT_EQ(one.metrics[m].mean, three.metrics[m].mean) << one.metrics[m].name;
  }
}

Csr permuted_rows(CsrView matrix, const std::vector<Index>& order) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (const Index r : order) {
    indices.insert(indices.end(), matrix.row(r).begin(), matrix.row(r).end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {matrix.rows, matrix.cols, std::move(offsets), std::move(indices)};
}

TEST(Evaluate, APermutationOfUsersPermutesTheirValues) {
  const RankingProblem problem(150, 90, 5, 2);
  RankingProblem permuted = problem;
  std::vector<Index> order(at(problem.users()));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, permuted.random);
  permuted.train = permuted_rows(problem.train, order);
  permuted.valid = permuted_rows(problem.valid, order);
  permuted.test = permuted_rows(problem.test, order);
  for (Index x = 0; x < problem.users(); ++x) {
    std::ranges::copy(problem.P.row(order[at(x)]), permuted.P.row(x).begin());
  }
  const Evaluation a = problem.evaluation(kAllMetrics);
  const Evaluation b = permuted.evaluation(kAllMetrics);
  std::map<Index, Offset> place_in_a;
  for (Offset i = 0; i < a.user_count(); ++i) place_in_a[a.users[at(i)]] = i;
  ASSERT_EQ(a.user_count(), b.user_count());
  for (Offset i = 0; i < b.user_count(); ++i) {
    const auto same = a.values().row(place_in_a.at(order[at(b.users[at(i)])]));
    EXPECT_THAT(b.values().row(i), ElementsAreArray(same));
  }
  for (std::size_t m = 0; m < a.metrics.size(); ++m) {
    EXPECT_NEAR(a.metrics[m].mean, b.metrics[m].mean, 1e-12) << a.metrics[m].name;
  }
}

TEST(Evaluate, MeansAreFoundByName) {
  const RankingProblem problem(30, 40, 3, 3);
  const Evaluation evaluation = problem.evaluation("recall@3,gini@5");
  EXPECT_EQ(evaluation.mean("gini@5"), evaluation.metrics[1].mean);
  EXPECT_THROW(evaluation.mean("recall@5"), Error);
  EXPECT_THAT(evaluation.user_metrics, ElementsAre("recall@3"));
}

TEST(Evaluate, NobodyWithHeldOutItemsIsASentence) {
  RankingProblem problem(4, 6, 2, 4);
  problem.test = empty_csr(4, 6);
  EXPECT_THROW(problem.evaluation("ndcg@10"), Error);
}

}  // namespace
}  // namespace sqmax
