// Search spaces and searches: what is proposed, and that a surface finds hills.
#include "sqmax/train/search.h"

#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/loss/loss_spec.h"

#include "tests/support/error_of.h"
#include "train/climb.h"
#include "train/surface.h"

namespace sqmax {
namespace {

using testing::Contains;
using testing::HasSubstr;

class EverySpace : public testing::TestWithParam<std::string> {
 protected:
  const LossSpec& loss() const { return find_loss(GetParam()); }
};

TEST_P(EverySpace, DrawsWithinItsRangesAndLeavesFixedSettingsAlone) {
  const SearchSpace space(loss().options, {});
  for (std::uint64_t number = 0; number < 50; ++number) {
    Random random(7, Purpose::Search, number);
    for (const auto& [name, value] : space.settings(space.draw(random))) {
      const auto spec = std::ranges::find(loss().options, name, &OptionSpec::name);
      ASSERT_NE(spec, loss().options.end());
      if (const auto* drawn = std::get_if<double>(&value)) {
        if (*drawn == 0.0 && spec->search.zeros > 0.0) continue;
        EXPECT_GE(*drawn, spec->search.low * (1 - 1e-12));
        EXPECT_LE(*drawn, spec->search.high * (1 + 1e-12));
      } else if (!spec->drawn.empty()) {
        EXPECT_THAT(spec->drawn, Contains(std::get<std::string>(value)));
      }
    }
  }
  for (const OptionSpec& option : loss().options) {
    const SearchSpace less(loss().options, {{option.name, option.fallback}});
    Random random(7, Purpose::Search, 3);
    EXPECT_EQ(less.settings(less.draw(random)).at(option.name), option.fallback);
  }
}

TEST_P(EverySpace, PointsAndSettingsAreTheSameThing) {
  const SearchSpace space(loss().options, {});
  for (std::uint64_t number = 0; number < 20; ++number) {
    Random random(8, Purpose::Search, number);
    const Settings settings = space.settings(space.draw(random));
    const Settings again = space.settings(space.point(settings));
    for (const auto& [name, value] : settings) {
      if (const auto* x = std::get_if<double>(&value)) {
        EXPECT_NEAR(std::get<double>(again.at(name)), *x, 1e-9 * std::abs(*x)) << name;
      } else {
        EXPECT_EQ(again.at(name), value) << name;
      }
    }
  }
}

// Whatever a search proposes is within what the options allow, and the same for the same seed.
TEST_P(EverySpace, EverySearchProposesWhatIsAllowed) {
  for (const SearchSpec& spec : searches()) {
    const SearchSpace space(loss().options, {});
    if (space.is_empty()) continue;
    const Point start = space.point(completed("it", loss().options, {}));
    const SearchTask task{
        .starts = {start}, .closed_form = loss().closed_form, .trials = 16, .seed = 5};
    std::vector<Judged> past;
    for (int proposed = 0; proposed < 16; ++proposed) {
      const auto point = spec.make(task)(space, past, proposed);
      ASSERT_EQ(point, spec.make(task)(space, past, proposed)) << spec.name;
      if (!point) break;
      ASSERT_EQ(point->size(), space.axes().size());
      EXPECT_NO_THROW(completed("it", loss().options, space.settings(*point))) << spec.name;
      past.push_back({*point, std::sin(10.0 * proposed)});
    }
    EXPECT_GE(past.size(), 2u) << spec.name;
  }
}

std::vector<std::string> space_names() {
  std::vector<std::string> names;
  for (const LossSpec& loss : losses()) names.push_back(loss.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EverySpace, testing::ValuesIn(space_names()),
                         [](const auto& spec) {
                           std::string name = spec.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

OptionSpec number(const std::string& name, SearchRange range, double low = 0.0, double high = 1e6) {
  return {.name = name, .fallback = 1.0, .low = low, .high = high, .search = range};
}

TEST(SearchSpaces, DrawZeroAsOftenAsTheRangeSays) {
  const SearchSpace space({number("a", {0.1, 1.0, Scale::Log, 0.25})}, {});
  int zeros = 0;
  for (std::uint64_t n = 0; n < 400; ++n) {
    Random random(3, Purpose::Search, n);
    zeros += std::get<double>(space.settings(space.draw(random)).at("a")) == 0.0 ? 1 : 0;
  }
  EXPECT_NEAR(zeros, 100, 30);
}

TEST(SearchSpaces, GrowAtTheEdgeThatABestPointLiesAt) {
  SearchSpace space({number("a", {0.1, 10.0}), number("b", {0.0, 0.5, Scale::Linear}, 0.0, 0.6)},
                    {});
  EXPECT_EQ(space.edges({1.0, 0.5}), std::vector<std::string>{"a"});
  space.widen({1.0, 0.5});
  EXPECT_TRUE(space.edges({1.0, 0.5}).empty());  // no longer at the end
  const Settings beyond = space.settings({space.axes()[0].high, 0.5});
  EXPECT_NEAR(std::get<double>(beyond.at("a")), 10.0 * std::pow(100.0, 0.35), 1e-9);
  // 0 is all that b can be at least, so that is no edge; 0.6 ends it on the other side.
  EXPECT_TRUE(space.edges({0.5, 0.0}).empty());
  for (int i = 0; i < 3; ++i) space.widen({0.5, space.axes()[1].high});
  EXPECT_NEAR(std::get<double>(space.settings({0.5, space.axes()[1].high}).at("b")), 0.6, 1e-12);
  EXPECT_TRUE(space.edges({0.5, space.axes()[1].high}).empty());
}

TEST(GridSearch, TriesEveryCombinationOnce) {
  OptionSpec word{.name = "w", .fallback = std::string("x"), .choices = {"x", "y", "z"}};
  const SearchSpace space({number("a", {0.1, 10.0}), word}, {});
  const Search search = find_search("grid").make({.starts = {}, .trials = 13});
  std::set<Point> seen;
  int proposed = 0;
  while (const auto point = search(space, {}, proposed)) {
    EXPECT_TRUE(seen.insert(*point).second);
    ASSERT_LT(++proposed, 100);
  }
  EXPECT_EQ(seen.size(), 12u);  // 4 numbers × 3 words
  std::set<std::string> numbers;
  for (const Point& point : seen) numbers.insert(to_text(space.settings(point).at("a")));
  EXPECT_EQ(numbers.size(), 4u);
  EXPECT_THAT(numbers, Contains("0.1"));
}

TEST(Searches, AnUnknownOneIsNamedWithThoseThatThereAre) {
  EXPECT_THAT(error_of([] { find_search("lucky"); }), HasSubstr("guided, random, grid"));
}

double hill(const Point& p) {
  return std::exp(-3.0 * (std::pow(p[0] - 0.7, 2) + std::pow(p[1] - 0.2, 2)));
}

// At the points, a surface with little noise goes through the values; its gradient of doubt is zero
// there and grows with the distance.
TEST(Surfaces, GoThroughWhatWasJudgedAndDoubtTheRest) {
  std::vector<Judged> past;
  for (int i = 0; i < 12; ++i) {
    Random random(1, Purpose::Test, static_cast<std::uint64_t>(i));
    const Point point = {random.uniform(), random.uniform()};
    past.push_back({point, hill(point)});
  }
  const Surface surface(past);
  for (const Judged& judged : past) {
    EXPECT_NEAR(surface.at(judged.point).mean, judged.value, 0.05);
    EXPECT_LT(surface.at(judged.point).deviation, surface.at({3.0, 3.0}).deviation);
  }
  EXPECT_GT(surface.expected_improvement({0.7, 0.2}), surface.expected_improvement({0.0, 1.0}));
}

TEST(Surfaces, ExpectedImprovementIsThatOfTheGuess) {
  const std::vector<Judged> past = {{{0.0}, 0.0}, {{0.4}, 1.0}, {{1.0}, 0.3}, {{0.7}, 0.8}};
  const Surface surface(past);
  double best = -1.0;
  for (const Judged& judged : past) best = std::max(best, surface.at(judged.point).mean);
  const Surface::Guess guess = surface.at({0.55});
  double sum = 0.0;  // E max(f − best, 0), by a sum over the density
  const int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    const double z = -8.0 + 16.0 * (i + 0.5) / steps;
    const double gain = std::max(guess.mean + guess.deviation * z - best, 0.0);
    sum += gain * std::exp(-z * z / 2) / std::sqrt(2 * M_PI) * 16.0 / steps;
  }
  EXPECT_NEAR(surface.expected_improvement({0.55}), sum, 1e-4 * std::max(sum, 1e-3));
}

// Two strengths that make up for each other, and a cliff where one is too much: WRMF's λ and α look
// like that. From a start off the ridge, the search finds it and follows it to the top, whatever
// the seed, and asks for no point twice.
TEST(GuidedSearch, FollowsANarrowRidgeBesideACliff) {
  const SearchSpace space(
      {number("l", {0.0, 1.0, Scale::Linear}), number("a", {0.0, 1.0, Scale::Linear})}, {});
  const auto ridge = [](const Point& p) {
    const double beyond = p[0] - (0.6 + 0.4 * p[1] * p[1]);
    const double top = 0.229 - 0.02 * std::pow(p[1] - 0.48, 2);
    return std::max(beyond < 0 ? top + 0.06 * beyond : top - 16 * beyond * beyond, 0.05);
  };
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Search search =
        find_search("guided").make({.starts = {{0.5, 0.63}}, .trials = 60, .seed = seed});
    std::vector<Judged> past;
    double best = 0.0;
    for (int n = 0; n < 60; ++n) {
      const Point point = search(space, past, n).value();
      for (const Judged& judged : past) EXPECT_NE(judged.point, point);
      past.push_back({point, ridge(point)});
      best = std::max(best, past.back().value);
    }
    EXPECT_GT(best, 0.2265) << "seed " << seed;
  }
}

// On a hill in four dimensions, thirty guided points come nearer to the top than thirty random
// ones.
TEST(GuidedSearch, ClimbsWhereChanceDoesNot) {
  std::vector<OptionSpec> specs;
  for (const char* name : {"a", "b", "c", "d"}) {
    specs.push_back(number(name, {0.0, 1.0, Scale::Linear}));
  }
  const SearchSpace space(specs, {});
  const auto value = [](const Point& p) {
    double squares = 0.0;
    for (const double x : p) squares += (x - 0.35) * (x - 0.35);
    return 1.0 - squares;
  };
  const auto best_of = [&](const char* name) {
    const Search search =
        find_search(name).make({.starts = {Point(4, 0.9)}, .trials = 30, .seed = 2});
    std::vector<Judged> past;
    double best = 0.0;
    for (int n = 0; n < 30; ++n) {
      const Point point = search(space, past, n).value();
      past.push_back({point, value(point)});
      best = std::max(best, past.back().value);
    }
    return best;
  };
  EXPECT_GT(best_of("guided"), 0.99);
  EXPECT_GT(best_of("guided"), best_of("random"));
}

TEST(Climbing, FindsTheTopOfAHillAndAsksNoPlaceTwice) {
  std::multiset<double> asked;
  const auto top = climb(0.5, 0.0, 2.0, [&asked](double x) {
    asked.insert(x);
    return -(x - 1.13) * (x - 1.13);
  });
  EXPECT_NEAR(top, 1.13, 0.03);
  for (const double x : asked) EXPECT_EQ(asked.count(x), 1u);
  EXPECT_EQ(climb(0.5, 0.0, 0.6, [](double x) { return x; }), 0.6);
  EXPECT_EQ(climb(0.5, 0.0, 1.0, [](double) { return 1.0; }), 0.5);
}

}  // namespace
}  // namespace sqmax
