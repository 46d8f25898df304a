// Links: the choice and the values, against the loss written out over all pairs in double.
#include "sqmax/solve/links.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "tests/support/dense_loss.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

constexpr Offset kLinkRank = 3;

std::vector<LossCase> cases_without_interaction() {
  const TinyData data(4, 4, 0.5, 1);
  std::vector<LossCase> cases;
  for (const LossCase& each : loss_cases()) {
    const QuadraticLaw law = each.law(data.by_user);
    if (law.users.interaction == 0.0 && law.items.interaction == 0.0) cases.push_back(each);
  }
  return cases;
}

class LinksOf : public testing::TestWithParam<LossCase> {
 protected:
  Links fit(const LinkOptions& options) const {
    return fit_links({form_, data_.by_user, data_.by_item}, P_, Q_, options);
  }

  // b as a dense matrix, sources by targets.
  static std::vector<std::vector<double>> dense(const Links& links) {
    const auto N = at(links.targets.rows);
    std::vector<std::vector<double>> B(N, std::vector<double>(N));
    for (std::size_t z = 0; z < N; ++z) {
      for (Offset i = links.targets.offsets[z]; i < links.targets.offsets[z + 1]; ++i) {
        B[z][at(links.targets.indices[at(i)])] = links.values[at(i)];
      }
    }
    return B;
  }

  // What is minimised for item y: its part of the loss, with κ·(curvature of each link)·b².
  double loss_of_item(Index y, const std::vector<std::vector<double>>& B, double ridge) const {
    double loss = 0.0;
    for (Index x = 0; x < data_.by_user.rows; ++x) {
      const auto history = data_.by_user.view().row(x);
      const bool observed = contains(history, y);
      double o = 0.0;
      for (Offset k = 0; k < kLinkRank; ++k) o += double{P_(x, k)} * Q_(y, k);
      for (const Index z : history) o += B[at(z)][at(y)];
      double weight = double{form_.users.weight[at(x)]} * form_.items.weight[at(y)];
      double pull = form_.target * form_.users.lean[at(x)] * form_.items.lean[at(y)];
      if (observed) {
        weight += double{form_.users.curvature[at(x)]} * form_.items.curvature[at(y)];
        pull += double{form_.users.pull[at(x)]} * form_.items.pull[at(y)];
      }
      loss += weight * o * o - 2.0 * pull * o;
      for (const Index z : history) loss += ridge * weight * B[at(z)][at(y)] * B[at(z)][at(y)];
    }
    return loss;
  }

  // −½ of the slope in b_zy.
  double slope(Index z, Index y, std::vector<std::vector<double>> B, double ridge) const {
    constexpr double kStep = 1e-3;
    double& b = B[at(z)][at(y)];
    b += kStep;
    const double up = loss_of_item(y, B, ridge);
    b -= 2.0 * kStep;
    const double down = loss_of_item(y, B, ridge);
    return -(up - down) / (4.0 * kStep);
  }

  TinyData data_{30, 14, 0.3, 6};
  QuadraticForm form_ = spell_out(GetParam().law(data_.by_user), data_.by_user);
  Matrix P_ = data_.factors(30, kLinkRank, 0.3);
  Matrix Q_ = data_.factors(14, kLinkRank, 0.3);
};

TEST_P(LinksOf, AreStationary) {
  for (const double ridge : {1e-2, 0.3, 10.0}) {
    const Links links = fit({.count = 4, .ridge = ridge});
    const auto B = dense(links);
    ASSERT_GT(links.targets.nnz(), 0);
    const auto nothing = dense({.targets = empty_csr(14, 14), .values = {}});
    for (Index z = 0; z < 14; ++z) {
      for (const Index y : links.targets.view().row(z)) {
        const double first = slope(z, y, nothing, ridge);
        EXPECT_NEAR(slope(z, y, B, ridge), 0.0, 1e-4 * (1.0 + std::abs(first)));
        EXPECT_LT(loss_of_item(y, B, ridge), loss_of_item(y, nothing, ridge));
      }
    }
  }
}

TEST_P(LinksOf, AreTheSourcesOfLargestGain) {
  constexpr Index kCount = 3;
  const Links links = fit({.count = kCount, .ridge = 0.3});
  const auto B = dense(links);
  const auto nothing = dense({.targets = empty_csr(14, 14), .values = {}});
  for (Index y = 0; y < 14; ++y) {
    std::vector<std::pair<double, Index>> gains;  // of those that raise the score of y
    for (Index z = 0; z < 14; ++z) {
      const double g = slope(z, y, nothing, 0.0);
      auto one = nothing;
      one[at(z)][at(y)] = 1.0;
      const double curvature = loss_of_item(y, one, 0.0) - loss_of_item(y, nothing, 0.0) + 2.0 * g;
      const bool meets = std::ranges::any_of(data_.by_item.view().row(y), [&](Index x) {
        return contains(data_.by_user.view().row(x), z);
      });
      if (z != y && meets && g > 0.0) gains.emplace_back(g * g / curvature, z);
    }
    std::ranges::sort(gains, std::greater<>());
    std::vector<Index> want;
    for (std::size_t i = 0; i < std::min<std::size_t>(gains.size(), kCount); ++i) {
      want.push_back(gains[i].second);
    }
    std::ranges::sort(want);
    std::vector<Index> got;
    for (Index z = 0; z < 14; ++z) {
      if (contains(links.targets.view().row(z), y)) got.push_back(z);
    }
    EXPECT_EQ(got, want) << "item " << y;
  }
}

TEST_P(LinksOf, AreTheSameForAnyNumberOfThreads) {
  const auto fit_with = [&](int threads) {
    const ThreadLimit limit(threads);
    return fit({.count = 5, .ridge = 0.1});
  };
  const Links one = fit_with(1);
  const Links two = fit_with(2);
  EXPECT_TRUE(std::ranges::equal(one.values.span(), two.values.span()));
  EXPECT_TRUE(std::ranges::equal(one.targets.indices.span(), two.targets.indices.span()));
}

INSTANTIATE_TEST_SUITE_P(EveryLoss, LinksOf, testing::ValuesIn(cases_without_interaction()),
                         [](const auto& each) { return each.param.name(); });

// Two items with the same users, and no ridge: the system is singular, the links are finite.
TEST(LinksTest, TwinsDoNotDivide) {
  const Csr by_user = csr_of(3, {{0, 1, 2}, {0, 1, 2}, {0, 1}, {2}});
  const Csr by_item = transpose(by_user);
  const QuadraticLaw law = find_loss("rgp").declare({}, degrees_of(by_user));
  const QuadraticForm form = spell_out(law, by_user);
  const Links links =
      fit_links({form, by_user, by_item}, Matrix(4, 1), Matrix(3, 1), {.count = 2, .ridge = 0.0});
  for (const float value : links.values) EXPECT_TRUE(std::isfinite(value));
}

TEST(LinksTest, TellHowFarTheyAreAndStop) {
  TinyData data(60, 900, 0.05, 4);
  const QuadraticLaw law = find_loss("rgp").declare({}, degrees_of(data.by_user));
  const QuadraticForm form = spell_out(law, data.by_user);
  const Matrix P = data.factors(60, 2);
  const Matrix Q = data.factors(900, 2);
  const auto fit = [&](const OnProgress& progress) {
    return fit_links({form, data.by_user, data.by_item}, P, Q, {.count = 3}, progress);
  };
  std::vector<std::int64_t> heard;
  const Links whole = fit([&](const ProgressEvent& event) {
    EXPECT_EQ(event.total, 900);
    heard.push_back(event.done);
    return Next::Continue;
  });
  EXPECT_GE(heard.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(heard));
  EXPECT_TRUE(std::ranges::equal(whole.values.span(), fit({}).values.span()));
  const Links stopped =
      fit([&](const ProgressEvent& event) { return event.done > 0 ? Next::Stop : Next::Continue; });
  EXPECT_TRUE(stopped.empty());
  EXPECT_FALSE(whole.empty());
}

// A user with everything is not asked, and changes nothing.
TEST(LinksTest, EndlessHistoriesAreNotAsked) {
  std::vector<std::vector<Index>> rows = {{0, 1}, {0, 1}, {1, 2}, {0, 1, 5}};
  const Index items = kLongestHistory + 2;
  const Csr few = csr_of(items, rows);
  std::vector<Index> everything(at(items));
  for (Index y = 0; y < items; ++y) everything[at(y)] = y;
  rows.push_back(everything);
  const Csr all = csr_of(items, rows);

  const QuadraticLaw law = find_loss("wrmf").declare({}, degrees_of(few));  // no degrees in it
  const auto fit = [&](const Csr& by_user) {
    const Csr by_item = transpose(by_user);
    const QuadraticForm form = spell_out(law, by_user);
    return fit_links({form, by_user, by_item}, Matrix(by_user.rows, 1), Matrix(items, 1), {});
  };
  const Links without = fit(few);
  const Links with = fit(all);
  EXPECT_GT(without.targets.nnz(), 0);
  EXPECT_TRUE(std::ranges::equal(with.values.span(), without.values.span()));
}

}  // namespace
}  // namespace sqmax
