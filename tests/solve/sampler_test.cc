// Samplers and orders by counting.
#include "solve/sampler.h"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "solve/order.h"
#include "tests/support/dense_loss.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

constexpr int kDraws = 40000;

std::vector<double> frequencies(const Sampler& sampler, const Observed& observed,
                                std::span<const Index> batch, Index items) {
  std::vector<double> counts(at(items));
  std::vector<Index> drawn(4);
  for (std::uint64_t n = 0; n < kDraws / 4; ++n) {
    Random random(1, Purpose::Negative, n);
    EXPECT_TRUE(sampler.draw(observed, batch, random, drawn));
    for (const Index y : drawn) counts[at(y)] += 1.0 / kDraws;
  }
  return counts;
}

// Five standard deviations of a count.
void expect_frequencies(const std::vector<double>& found, const std::vector<double>& wanted) {
  for (std::size_t y = 0; y < wanted.size(); ++y) {
    const double spread = std::sqrt(wanted[y] * (1.0 - wanted[y]) / kDraws);
    EXPECT_NEAR(found[y], wanted[y], 5.0 * spread) << "item " << y;
  }
}

std::vector<double> without(std::vector<double> law, std::span<const Index> observed) {
  for (const Index y : observed) law[at(y)] = 0.0;
  double total = 0.0;
  for (const double share : law) total += share;
  for (double& share : law) share /= total;
  return law;
}

TEST(ObservedFilter, KnowsWhatUsersHave) {
  const TinyData data(60, 300, 0.2, 7);
  const ObservedFilter filter(data.by_user);
  for (Index x = 0; x < data.by_user.rows; ++x) {
    const auto row = data.by_user.view().row(x);
    for (Index y = 0; y < data.by_user.cols; ++y) {
      EXPECT_EQ(filter(x).has(y), std::ranges::binary_search(row, y)) << x << ", " << y;
    }
  }
}

struct SamplerCase {
  Sampling sampling;
  std::string name;
};

class EverySampler : public testing::TestWithParam<SamplerCase> {
 protected:
  // The law that the sampler is declared to draw from.
  std::vector<double> law() const {
    std::vector<double> law;
    const Sampling& sampling = GetParam().sampling;
    double total = 0.0;
    for (const Index degree : column_degrees(data_.by_user)) {
      const double weight = sampling.proposal == Proposal::Uniform ? 1.0
                            : degree == 0                          ? 0.0
                            : sampling.proposal == Proposal::Batch
                                ? degree
                                : std::pow(degree, sampling.power);
      law.push_back(weight);
      total += weight;
    }
    for (double& share : law) share /= total;
    return law;
  }

  TinyData data_{60, 12, 0.4, 3};
  std::span<const Index> batch_ = data_.by_user.indices.span();
};

TEST_P(EverySampler, DrawsFromItsLaw) {
  Sampling sampling = GetParam().sampling;
  sampling.exclude_observed = false;
  const Sampler sampler(sampling, data_.by_user);
  expect_frequencies(frequencies(sampler, {data_.by_user.view().row(0)}, batch_, 12), law());
}

TEST_P(EverySampler, LeavesOutWhatIsObserved) {
  const Sampler sampler(GetParam().sampling, data_.by_user);
  const ObservedFilter filter(data_.by_user);
  for (const Index x : {0, 1, 2}) {
    const auto items = data_.by_user.view().row(x);
    expect_frequencies(frequencies(sampler, {items}, batch_, 12), without(law(), items));
    expect_frequencies(frequencies(sampler, filter(x), batch_, 12), without(law(), items));
  }
}

// One item is left: drawing again would take long.
TEST_P(EverySampler, FindsTheOnlyItemThatIsLeft) {
  const Sampler sampler(GetParam().sampling, data_.by_user);
  for (Index left = 0; left < 12; ++left) {
    std::vector<Index> observed;
    for (Index y = 0; y < 12; ++y) {
      if (y != left) observed.push_back(y);
    }
    std::vector<Index> drawn(3);
    Random random(2, Purpose::Negative);
    ASSERT_TRUE(sampler.draw(observed, batch_, random, drawn));
    for (const Index y : drawn) EXPECT_EQ(y, left);
  }
}

TEST_P(EverySampler, SaysIfNothingIsLeft) {
  const Sampler sampler(GetParam().sampling, data_.by_user);
  std::vector<Index> all(12);
  for (Index y = 0; y < 12; ++y) all[at(y)] = y;
  std::vector<Index> drawn(3);
  Random random(2, Purpose::Negative);
  EXPECT_FALSE(sampler.draw(all, batch_, random, drawn));
}

TEST_P(EverySampler, KnowsTheSharesOfItsLaw) {
  const Sampler sampler(GetParam().sampling, data_.by_user);
  for (Index y = 0; y < 12; ++y) {
    if (law()[at(y)] == 0.0) continue;
    EXPECT_NEAR(sampler.log_share(y), std::log(12.0 * law()[at(y)]), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Proposals, EverySampler,
    testing::Values(SamplerCase{{.proposal = Proposal::Uniform}, "uniform"},
                    SamplerCase{{.proposal = Proposal::Popularity, .power = 0.5}, "popularity"},
                    SamplerCase{{.proposal = Proposal::Batch}, "batch"}),
    [](const auto& spec) { return spec.param.name; });

TEST(Orders, ArePermutationsAndDifferFromEpochToEpoch) {
  for (const Offset count : {1, 2, 3, 10, 97, 1024, 5000}) {
    std::set<Offset> seen;
    Offset same = 0;
    const Order first(count, 7, 1);
    const Order second(count, 7, 2);
    for (Offset place = 0; place < count; ++place) {
      seen.insert(first(place));
      same += first(place) == second(place) ? 1 : 0;
    }
    EXPECT_EQ(seen.size(), at(count));
    EXPECT_TRUE(*seen.begin() == 0 && *seen.rbegin() == count - 1);
    EXPECT_LT(same, count > 50 ? 10 : count + 1);
  }
}

// Where a place goes is spread evenly over many orders.
TEST(Orders, SendAPlaceAnywhere) {
  std::vector<int> counts(30);
  for (int epoch = 0; epoch < 6000; ++epoch) ++counts[at(Order(30, 1, epoch)(11))];
  for (const int count : counts) EXPECT_NEAR(count, 200, 5.0 * std::sqrt(200.0));
}

}  // namespace
}  // namespace sqmax
