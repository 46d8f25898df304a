// Metrics one by one: worked examples, and what must hold for every metric in the registry.
#include "sqmax/rank/metric.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

// A list by its hits alone; its items are 0, 1, 2, …
double value_of(const MetricSpec& spec, const std::vector<std::uint8_t>& hit, Index relevant,
                Index k) {
  std::vector<Ranked> top;
  for (std::size_t i = 0; i < hit.size(); ++i) top.push_back({static_cast<Index>(i), 0.0f});
  const std::vector<Index> popularity = {10, 6, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0};
  return spec.of_user(
      {.top = top, .hit = hit, .relevant = relevant, .k = k, .popularity = popularity});
}

MetricSpec spec_of(const std::string& name) { return parse_metrics(name + "@1")[0].spec; }

TEST(Metric, WorkedExamplesOfUserMetrics) {
  // Of three held-out items two are in the list, at the places 2 and 4 of 4.
  const std::vector<std::uint8_t> hit = {0, 1, 0, 1};
  const double log2_3 = std::log2(3.0);
  const double log2_5 = std::log2(5.0);
  const std::map<std::string, double> expected = {
      {"ndcg", (1 / log2_3 + 1 / log2_5) / (1 + 1 / log2_3 + 0.5)},
      {"mrr", 0.5},
      {"map", (1.0 / 2 + 2.0 / 4) / 3},
      {"recall", 2.0 / 3},
      {"precision", 2.0 / 4},
      {"hitrate", 1.0},
      {"popularity", (10 + 6 + 1 + 3) / 4.0},
  };
  for (const auto& [name, value] : expected) {
    EXPECT_DOUBLE_EQ(value_of(spec_of(name), hit, 3, 4), value) << name;
  }
}

TEST(Metric, WorkedExamplesOfShortLists) {
  // One candidate was left, a hit; two items were held out and ten places asked for.
  const double log2_3 = std::log2(3.0);
  const std::map<std::string, double> expected = {
      {"ndcg", 1 / (1 + 1 / log2_3)},
      {"mrr", 1.0},
      {"map", 0.5},
      {"recall", 0.5},
      {"precision", 0.1},
      {"hitrate", 1.0},
      {"popularity", 10.0},
  };
  for (const auto& [name, value] : expected) {
    EXPECT_DOUBLE_EQ(value_of(spec_of(name), {1}, 2, 10), value) << name;
    EXPECT_EQ(value_of(spec_of(name), {}, 2, 10), 0.0) << name;
  }
}

TEST(Metric, WorkedExamplesOfExposure) {
  const std::vector<Offset> counts = {3, 0, 1, 0};
  EXPECT_DOUBLE_EQ(spec_of("coverage").of_exposure({counts, 2}), 0.5);
  // Ascending 0 0 1 3: (1·1 + 3·3) / (4·4).
  EXPECT_DOUBLE_EQ(spec_of("gini").of_exposure({counts, 2}), 10.0 / 16);
  const std::vector<Offset> equal = {2, 2, 2};
  EXPECT_DOUBLE_EQ(spec_of("gini").of_exposure({equal, 2}), 0.0);
  EXPECT_DOUBLE_EQ(spec_of("coverage").of_exposure({equal, 2}), 1.0);
}

class EveryMetric : public testing::TestWithParam<MetricSpec> {};
class EveryAccuracy : public EveryMetric {};
class EveryExposure : public EveryMetric {};

TEST_P(EveryMetric, SaysWhatItIs) {
  const MetricSpec& spec = GetParam();
  EXPECT_FALSE(spec.name.empty());
  EXPECT_FALSE(spec.title.empty());
  EXPECT_FALSE(spec.formula.empty());
  EXPECT_NE(spec.of_user == nullptr, spec.of_exposure == nullptr);
  EXPECT_EQ(std::ranges::count(metrics(), spec.name, &MetricSpec::name), 1);
}

TEST_P(EveryAccuracy, IsOneForThePerfectListAndZeroWithoutAHit) {
  const MetricSpec& spec = GetParam();
  for (Index k = 1; k <= 12; ++k) {
    EXPECT_DOUBLE_EQ(value_of(spec, std::vector<std::uint8_t>(at(k), 1), k, k), 1.0) << k;
    EXPECT_EQ(value_of(spec, std::vector<std::uint8_t>(at(k), 0), k, k), 0.0) << k;
  }
}

// All lists of up to eight places: a hit that moves up, or one more hit, never makes it worse.
TEST_P(EveryAccuracy, IsWithinBoundsAndMonotone) {
  const MetricSpec& spec = GetParam();
  constexpr Index kPlaces = 8;
  for (unsigned pattern = 0; pattern < 1U << kPlaces; ++pattern) {
    std::vector<std::uint8_t> hit(kPlaces);
    for (unsigned i = 0; i < kPlaces; ++i) hit[i] = pattern >> i & 1;
    const auto hits = static_cast<Index>(std::ranges::count(hit, 1));
    for (const Index relevant : {std::max(hits, 1), hits + 1, hits + 5}) {
      const double value = value_of(spec, hit, relevant, kPlaces);
      EXPECT_GE(value, 0.0);
      EXPECT_LE(value, 1.0 + 1e-12);
      for (std::size_t i = 1; i < hit.size(); ++i) {
        auto better = hit;
        if (hit[i - 1] == 0 && hit[i] == 1) std::swap(better[i - 1], better[i]);
        if (hit[i] == 0 && hits < relevant) better[i] = 1;
        EXPECT_GE(value_of(spec, better, relevant, kPlaces), value - 1e-12);
      }
    }
  }
}

TEST_P(EveryExposure, IsWithinBoundsAndIgnoresTheOrderOfItems) {
  const MetricSpec& spec = GetParam();
  Random random(5, Purpose::Test);
  for (std::size_t items = 1; items < 40; ++items) {
    std::vector<Offset> counts(items);
    EXPECT_EQ(spec.of_exposure({counts, 3}), 0.0);
    for (Offset& count : counts) count = static_cast<Offset>(random.below(5));
    const double value = spec.of_exposure({counts, 3});
    EXPECT_GE(value, -1e-12);
    EXPECT_LE(value, 1.0);
    shuffle(counts, random);
    EXPECT_EQ(spec.of_exposure({counts, 3}), value);
  }
}

std::vector<MetricSpec> metrics_where(bool (*wanted)(const MetricSpec&)) {
  std::vector<MetricSpec> found;
  std::ranges::copy_if(metrics(), std::back_inserter(found), wanted);
  return found;
}

std::string name_of(const testing::TestParamInfo<MetricSpec>& each) {
  return std::string(each.param.name);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryMetric,
                         testing::ValuesIn(metrics().begin(), metrics().end()), name_of);
INSTANTIATE_TEST_SUITE_P(Registry, EveryAccuracy,
                         testing::ValuesIn(metrics_where([](const MetricSpec& spec) {
                           return spec.aim == MetricAim::Accuracy;
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Registry, EveryExposure,
                         testing::ValuesIn(metrics_where([](const MetricSpec& spec) {
                           return spec.of_exposure != nullptr;
                         })),
                         name_of);

std::string error_of(const std::string& text) {
  try {
    parse_metrics(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ParseMetrics, ReadsNamesAndCutOffsInOrder) {
  const auto parsed = parse_metrics("recall@20, ndcg@10,recall@20,recall@5");
  ASSERT_EQ(parsed.size(), 3U);
  EXPECT_EQ(parsed[0].name, "recall@20");
  EXPECT_EQ(parsed[0].spec.name, "recall");
  EXPECT_EQ(parsed[0].k, 20);
  EXPECT_EQ(parsed[1].name, "ndcg@10");
  EXPECT_EQ(parsed[2].name, "recall@5");
}

TEST(ParseMetrics, AnUnknownNameListsTheKnown) {
  EXPECT_THAT(error_of("ncdg@10"), HasSubstr("'ncdg'"));
  for (const MetricSpec& spec : metrics()) {
    EXPECT_THAT(error_of("ncdg@10"), HasSubstr(std::string(spec.name)));
  }
}

TEST(ParseMetrics, EveryMistakeIsNamed) {
  for (const char* text : {"ndcg@0", "ndcg@-1", "ndcg@ten", "ndcg@", "ndcg@1x", "ndcg@99999999999",
                           "ndcg@1.5", "ndcg@10@5"}) {
    EXPECT_THAT(error_of(text), HasSubstr("'" + std::string(text) + "'"));
  }
  EXPECT_THAT(error_of("ndcg"), HasSubstr("ndcg@10"));
  for (const char* text : {"", ",", "ndcg@10,", " "}) EXPECT_NE(error_of(text), "") << text;
}

}  // namespace
}  // namespace sqmax
