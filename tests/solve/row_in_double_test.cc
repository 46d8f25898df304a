// RowInDouble: its sums by any number of threads, and rows whose systems are singular.
#include "solve/row_in_double.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr Offset kRank = 3;

struct FixedRows {
  explicit FixedRows(Offset count) : F(count, kRank) {
    Random random(5, Purpose::Test);
    for (float& f : F.values()) f = static_cast<float>(random.normal());
    terms.weight.assign(at(count), 0.5f);
    terms.lean.assign(at(count), 0.25f);
    terms.curvature.assign(at(count), 0.0f);
    terms.pull.assign(at(count), 1.0f);
  }
  RowInDouble in_double() const { return {terms, 0.0, 2.0, F}; }

  Matrix F;
  SideTerms terms;
};

TEST(RowInDouble, AllThreadsSumUpWhatOneDoes) {
  const FixedRows rows(5000);
  const RowInDouble alone = rows.in_double();
  std::vector<Small> sums;
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    const RowInDouble together = rows.in_double();
    together.sum_up_at_once();
    EXPECT_TRUE(together.was_needed());
    EXPECT_LT((together.gram() - alone.gram()).norm(), 1e-12 * alone.gram().norm());
    sums.push_back(together.gram());
    const RowTerms leaning{.weight = 1.0f, .lean = 1.0f};
    std::vector<float> x(at(kRank)), want(at(kRank));
    ASSERT_TRUE(together.solve(leaning, {}, {}, x));
    ASSERT_TRUE(alone.solve(leaning, {}, {}, want));
    for (Offset k = 0; k < kRank; ++k)
      EXPECT_NEAR(x[at(k)], want[at(k)], 1e-6 * std::abs(want[at(k)]));
  }
  EXPECT_EQ(sums[0], sums[1]);
}

// Columns 0 and 1 are the same: only the sum of both coordinates is asked for, and a row that has
// it already has nothing to win.
TEST(RowInDouble, ASingularRowGoesOnFromWhereItIs) {
  FixedRows rows(8);
  for (Offset r = 0; r < 8; ++r) rows.F(r, 1) = rows.F(r, 0);
  const RowInDouble in_double = rows.in_double();
  const RowTerms terms{.weight = 1.0f, .pull = 1.0f};
  const std::vector<Index> observed = {1, 4};
  std::vector<float> short_one(3);
  ASSERT_TRUE(in_double.solve(terms, observed, {}, short_one));
  EXPECT_NEAR(short_one[0], short_one[1], 1e-4);

  const std::vector<float> start = {short_one[0] + 100.0f, short_one[1] - 100.0f, 0.0f};
  std::vector<float> found(3);
  ASSERT_TRUE(in_double.solve(terms, observed, {.asked = {}, .push = {}, .start = start}, found));
  EXPECT_NEAR(found[0] + found[1], short_one[0] + short_one[1], 1e-3);
  EXPECT_NEAR(found[0] - found[1], 200.0, 1e-3);
  EXPECT_NEAR(found[2], short_one[2], 1e-4);
}

// What single precision makes of a step from far away may be worse than no step.
TEST(RowInDouble, ASingularRowStaysWhereItIsIfThatIsLower) {
  FixedRows rows(8);
  for (Offset r = 0; r < 8; ++r) rows.F(r, 1) = rows.F(r, 0);
  const RowInDouble in_double = rows.in_double();
  const RowTerms terms{.weight = 1.0f, .pull = 1.0f};
  const std::vector<Index> observed = {1, 4};
  const auto loss = [&](const std::vector<float>& x) {
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXf>(x.data(), kRank).cast<double>();
    double value = v.dot(in_double.gram() * v);
    for (const Index j : observed) {
      for (Offset k = 0; k < kRank; ++k) value -= 2.0 * double{rows.F(j, k)} * v(k);
    }
    return value;
  };
  std::vector<float> x(3);
  ASSERT_TRUE(in_double.solve(terms, observed, {}, x));
  const double sum = double{x[0]} + x[1];
  for (int shift = 1; shift <= 24; ++shift) {
    const auto far = static_cast<float>(1 << shift);
    const std::vector<float> start = {far, static_cast<float>(sum - far), x[2]};
    std::vector<float> found(3);
    ASSERT_TRUE(in_double.solve(terms, observed, {.asked = {}, .push = {}, .start = start}, found));
    EXPECT_LE(loss(found), loss(start)) << far;
  }
}

}  // namespace
}  // namespace sqmax
