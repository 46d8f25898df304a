// with_rows(): rows that were given are fold-ins, the others stay.
#include "sqmax/serve/partial_fit.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/solve/fold_in.h"

#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

Model partial_model() {
  TinyData data(6, 9, 0.4, 5);
  const auto values = [&data](Index rows) {
    std::vector<float> made(at(Offset{rows} * 3));
    for (float& value : made) value = static_cast<float>(data.random.below(5)) - 2.0f;
    return made;
  };
  const auto ids = [](Index count) {
    IdMap map;
    for (Index r = 0; r < count; ++r) map.insert(std::to_string(r + 2));
    return map.take_table();
  };
  Model model;
  model.users = ids(6);
  model.items = ids(9);
  model.P = {6, 3, values(6)};
  model.Q = {9, 3, values(9)};
  model.seen = data.by_user;
  model.law.users.weight = model.law.items.weight = constant(1.0);
  model.law.users.curvature = model.law.items.curvature = constant(1.0);
  model.law.users.ridge = model.law.items.ridge = constant(1.0);
  return model;
}

bool same(std::span<const float> a, std::span<const float> b) { return std::ranges::equal(a, b); }

TEST(PartialFit, NewAndChangedUsersAreFoldIns) {
  const Model model = partial_model();
  const Csr histories{2, 9, std::vector<Offset>{0, 2, 5}, std::vector<Index>{0, 8, 1, 2, 3}};
  const Matrix folded = FoldIn(model).rows(histories);
  const Model next = with_rows(model, Side::Users, std::vector<Index>{8, 1}, histories);
  ASSERT_EQ(next.user_count(), 9);
  ASSERT_EQ(next.users.size(), 9);
  EXPECT_TRUE(same(next.P.view().row(8), folded.row(0)));
  EXPECT_TRUE(same(next.P.view().row(1), folded.row(1)));
  EXPECT_TRUE(same(next.P.view().row(3), model.P.view().row(3)));
  EXPECT_TRUE(same(next.P.view().row(7), std::vector<float>(3, 0.0f)));
  EXPECT_TRUE(std::ranges::equal(next.seen.view().row(1), histories.view().row(1)));
  EXPECT_TRUE(std::ranges::equal(next.seen.view().row(2), model.seen.view().row(2)));
  EXPECT_EQ(next.seen.view().row_size(7), 0);
}

TEST(PartialFit, ItemsGoTheSameWay) {
  const Model model = partial_model();
  const Csr histories{1, 6, std::vector<Offset>{0, 3}, std::vector<Index>{0, 2, 5}};
  const Matrix folded = FoldIn(model, Side::Items).rows(histories);
  const Model next = with_rows(model, Side::Items, std::vector<Index>{9}, histories);
  ASSERT_EQ(next.item_count(), 10);
  EXPECT_TRUE(same(next.Q.view().row(9), folded.row(0)));
  EXPECT_EQ(next.seen.cols, 10);
  EXPECT_EQ(column_degrees(next.seen)[9], 3);
  EXPECT_EQ(next.seen.nnz(), model.seen.nnz() + 3);
}

// Ids are "2" … "7": position 6 is taken, so it gets another name.
TEST(PartialFit, IdsStayDistinct) {
  const Model model = partial_model();
  const Csr nobody = empty_csr(1, 9);
  const Model next = with_rows(model, Side::Users, std::vector<Index>{6}, nobody);
  EXPECT_EQ(next.users[6], "#6");
  EXPECT_EQ(next.users[0], "2");
}

TEST(PartialFit, RowsAreDistinctAndNotNegative) {
  const Model model = partial_model();
  const Csr nobody = empty_csr(2, 9);
  EXPECT_THROW(with_rows(model, Side::Users, std::vector<Index>{1, 1}, nobody), Error);
  EXPECT_THROW(with_rows(model, Side::Users, std::vector<Index>{0, -1}, nobody), Error);
}

}  // namespace
}  // namespace sqmax
