// Pieces of a sweep: users in parts and items in ranges give what a half-step gives.
#include "sqmax/solve/sweep_parts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sqmax/core/random.h"
#include "sqmax/loss/loss_spec.h"

#include "solve/spectral.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

constexpr Index kPartUsers = 60;
constexpr Index kPartItems = 23;
constexpr Offset kPartRank = 5;

QuadraticLaw separable_law(const TinyData& data, const std::string& ridge) {
  const LossSpec& rgp = find_loss("rgp");
  return rgp.declare({{"alpha", 0.0}, {"ridge", ridge}}, degrees_of(data.by_user));
}

void expect_parts_near(ConstMatrix actual, ConstMatrix expected) {
  ASSERT_EQ(actual.values().size(), expected.values().size());
  float size = 0.0f;
  for (const float value : expected.values()) size = std::max(size, std::abs(value));
  EXPECT_GT(size, 0.0f);
  for (std::size_t i = 0; i < actual.values().size(); ++i) {
    ASSERT_NEAR(actual.values()[i], expected.values()[i], 1e-5f * size) << i;
  }
}

// The pulls of ranges of `width` items, of users begin, …, end − 1.
Matrix pulls_by_ranges(const TinyData& data, const QuadraticForm& form, ConstMatrix Q, Offset begin,
                       Offset end, Index width) {
  const CsrView part = data.by_user.view().middle_rows(begin, end);
  const auto pull = std::span(form.users.pull).subspan(at(begin), at(end - begin));
  Matrix B(end - begin, Q.cols);
  for (Index first = 0; first < kPartItems; first += width) {
    const Index last = std::min(first + width, kPartItems);
    PullingSide items;
    items.assign(Q.middle_rows(first, last),
                 std::span(form.items.pull).subspan(at(first), at(last - first)));
    items.add_to(middle_columns(part, first, last), pull, B.view());
  }
  return B;
}

TEST(SweepParts, PartsAndRangesGiveTheHalfStep) {
  for (const std::string ridge : {"plain", "frequency", "weighted"}) {
    TinyData data(kPartUsers, kPartItems, 0.2, 7);
    const QuadraticForm form = spell_out(separable_law(data, ridge), data.by_user);
    const Matrix Q = data.factors(kPartItems, kPartRank);
    Matrix expected(kPartUsers, kPartRank);
    spectral_half_step(form.users, form.items, form.target, data.by_user, Q, expected.view());
    for (const Index width : {1, 10, 23}) {
      SideSums sums = no_sums(kPartRank);
      for (Offset first = 0; first < kPartItems; first += width) {
        const Offset last = std::min<Offset>(first + width, kPartItems);
        add(sums_of(form.items, first, Q.view().middle_rows(first, last)), sums);
      }
      const SharedSystem system(sums, form.target);
      for (const auto& [begin, end] : {std::pair<Offset, Offset>{0, 13}, {13, 60}}) {
        Matrix P = pulls_by_ranges(data, form, Q, begin, end, width);
        system.solve(form.users, begin, P.view());
        expect_parts_near(P, expected.view().middle_rows(begin, end));
      }
    }
  }
}

// A part of the users knows their degrees and the weight of the items, and that is enough.
TEST(SweepParts, TermsOfSomeRowsAreThoseOfTheForm) {
  for (const std::string ridge : {"plain", "frequency", "weighted"}) {
    const TinyData data(kPartUsers, kPartItems, 0.2, 8);
    const QuadraticLaw law = separable_law(data, ridge);
    const QuadraticForm form = spell_out(law, data.by_user);
    const Degrees degrees = degrees_of(data.by_user);
    const auto users = spell_out_rows(law, law.users, row_degrees(data.by_user),
                                      degrees.items.sum(law.items.weight));
    const auto items = spell_out_rows(law, law.items, column_degrees(data.by_user),
                                      degrees.users.sum(law.users.weight));
    for (std::size_t x = 0; x < form.users.ridge.size(); ++x) {
      EXPECT_FLOAT_EQ(users.ridge[x], form.users.ridge[x]);
      EXPECT_EQ(users.weight[x], form.users.weight[x]);
      EXPECT_EQ(users.pull[x], form.users.pull[x]);
    }
    for (std::size_t y = 0; y < form.items.ridge.size(); ++y) {
      EXPECT_FLOAT_EQ(items.ridge[y], form.items.ridge[y]);
      EXPECT_EQ(items.lean[y], form.items.lean[y]);
    }
  }
}

// The pulls of a row that has nearly everything are small beside their terms.
TEST(SweepParts, LongSumsKeepWhatIsLeftOfThem) {
  const Index items = 300000;
  std::vector<std::vector<Index>> rows(3);
  for (Index y = 0; y < items; ++y) {
    rows[1].push_back(y);
    if (y % 100000 == 5) rows[2].push_back(y);
  }
  Matrix Q(items, 1);
  double expected = 0.0;
  Random random(1, Purpose::Start, 0);
  for (Offset y = 0; y < items; ++y) {
    Q(y, 0) = static_cast<float>(random.uniform()) + 1.0f;
    expected += Q(y, 0);
  }
  PullingSide side;
  side.assign(Q, {});
  Matrix B(3, 1);
  B(0, 0) = 7.0f;
  const std::vector<float> pull = {1.0f, 2.0f, 1.0f};
  side.add_to(csr_of(items, rows), pull, B.view());
  EXPECT_EQ(B(0, 0), 7.0f);
  EXPECT_NEAR(B(1, 0), 2.0 * expected, 2e-7 * expected);
  EXPECT_FLOAT_EQ(B(2, 0), Q(5, 0) + Q(100005, 0) + Q(200005, 0));
}

TEST(SweepParts, MiddleColumnsAreCountedFromTheirBegin) {
  const Csr matrix = csr_of(6, {{0, 2, 5}, {}, {3}, {1, 2, 3, 4}});
  const Csr middle = middle_columns(matrix, 2, 4);
  const Csr expected = csr_of(2, {{0}, {}, {1}, {0, 1}});
  EXPECT_EQ(middle.cols, 2);
  EXPECT_TRUE(std::ranges::equal(middle.offsets, expected.offsets));
  EXPECT_TRUE(std::ranges::equal(middle.indices, expected.indices));
}

// Whoever makes a range of the start makes the same numbers.
TEST(SweepParts, AStartCanBeMadeInRanges) {
  const Matrix whole = start_of_items(0, kPartItems, kPartRank, 3);
  const Matrix range = start_of_items(9, 4, kPartRank, 3);
  for (Offset r = 0; r < 4; ++r) EXPECT_TRUE(std::ranges::equal(range.row(r), whole.row(9 + r)));
}

}  // namespace
}  // namespace sqmax
