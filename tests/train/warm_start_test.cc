// Going on from a trained model: what is known stays, what is new is folded in.
#include "sqmax/train/warm_start.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/solve/fold_in.h"
#include "sqmax/train/fit.h"

#include "tests/support/split_data.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

IdTable ids(const std::vector<std::string>& names) {
  IdMap map;
  for (const std::string& name : names) map.insert(name);
  return map.table();
}

Dataset dataset_of(const std::vector<std::string>& users, const std::vector<std::string>& items,
                   const std::vector<std::vector<Index>>& rows) {
  const auto M = static_cast<Index>(users.size());
  const auto N = static_cast<Index>(items.size());
  return {.users = ids(users),
          .items = ids(items),
          .train = csr_of(N, rows),
          .valid = empty_csr(M, N),
          .test = empty_csr(M, N),
          .history = empty_csr(M, N)};
}

Model small_model() {
  const Dataset data = dataset_of({"a", "b", "c"}, {"p", "q", "r"}, {{0, 1}, {1, 2}, {0, 2}});
  FitOptions options{.loss = "wrmf"};
  options.solve = {.rank = 2, .iterations = 5};
  return Fitter(data).fit(options).model;
}

TEST(WarmStart, MatchesByIdAndFoldsTheRestIn) {
  const Model model = small_model();
  // c, a stay in another order, n is new; of the items, r and p stay and z is new.
  const Dataset data = dataset_of({"c", "n", "a"}, {"r", "z", "p"}, {{0, 2}, {0, 1, 2}, {1, 2}});
  const WarmStart start = warm_start(model, data);
  EXPECT_THAT(start.users.known, ElementsAre(0, 2));
  EXPECT_THAT(start.items.known, ElementsAre(0, 2));
  EXPECT_TRUE(std::ranges::equal(start.users.vectors.row(0), model.P.view().row(2)));
  EXPECT_TRUE(std::ranges::equal(start.users.vectors.row(2), model.P.view().row(0)));
  EXPECT_TRUE(std::ranges::equal(start.items.vectors.row(0), model.Q.view().row(2)));
  EXPECT_TRUE(std::ranges::equal(start.items.vectors.row(2), model.Q.view().row(0)));
  std::vector<float> folded(2);
  FoldIn(model).row(std::vector<Index>{0, 2}, folded);  // p and r; the model does not know z
  EXPECT_TRUE(std::ranges::equal(start.users.vectors.row(1), folded));
  FoldIn(model, Side::Items).row(std::vector<Index>{0}, folded);  // a; it does not know n
  EXPECT_TRUE(std::ranges::equal(start.items.vectors.row(1), folded));
}

TEST(WarmStart, RefusesAModelThatKnowsTheAnswers) {
  const Model model = small_model();
  Dataset data = dataset_of({"a", "b"}, {"p", "q", "r"}, {{0}, {1, 2}});
  data.test = csr_of(3, {{1, 2}, {}});
  try {
    warm_start(model, data);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("trained on 1 of the 2"));
  }
}

TEST(WarmStart, MovementIsTheRelativeChangeOfKnownRows) {
  WarmSide start{.vectors = Matrix(3, 2), .known = {0, 2}};
  Matrix end(3, 2);
  start.vectors(0, 0) = end(0, 0) = 3.0f;
  start.vectors(2, 1) = 4.0f;
  end(2, 1) = 5.0f;
  end(1, 0) = 100.0f;  // new: how far it went means nothing
  EXPECT_NEAR(movement(start, end).all, 1.0 / 5.0, 1e-12);
  EXPECT_NEAR(movement(start, end).largest, 1.0 / (5.0 / std::sqrt(2.0)), 1e-12);
  EXPECT_EQ(movement(start, start.vectors).all, 0.0);
}

class GoingOn : public testing::TestWithParam<SquaredCase> {};

// From a solution that stands still, nobody moves; from elsewhere, the same place is reached.
TEST_P(GoingOn, FromWhereItStandsStillItDoesNotMove) {
  const TinyData data(30, 25, 0.2, 5);
  const QuadraticForm form = GetParam().form(data.by_user);
  const Problem problem{form, data.by_user, data.by_item};
  const SolveOptions longer{.rank = 3, .iterations = 2000, .tolerance = 2e-6};
  const Solution there = GetParam().run(problem, longer);
  SolveOptions again{.rank = 3, .iterations = 2, .tolerance = 0};
  again.start_users = there.P;
  again.start_items = there.Q;
  const Solution still =
      find_solver(GetParam().solver == "exact" ? "spectral" : GetParam().solver, problem)
          .run(problem, again, {});
  const double before = objective(form, data.by_user, there.P, there.Q).total();
  const double after = objective(form, data.by_user, still.P, still.Q).total();
  EXPECT_NEAR(after, before, 1e-5 * std::abs(before));
  EXPECT_LT(still.residual, 5e-3);
}

INSTANTIATE_TEST_SUITE_P(Registry, GoingOn, testing::ValuesIn(squared_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST(GoingOnFit, AutoTakesAnAlternationAndExactIsRefused) {
  const Dataset data = split_data(1);
  FitOptions options{.loss = "rg2"};
  options.solve = {.rank = 4, .iterations = 2};
  const FitResult first = Fitter(data).fit(options);
  EXPECT_EQ(first.solver, "exact");
  options.solve.start_users = first.model.P.view();
  options.solve.start_items = first.model.Q.view();
  EXPECT_EQ(Fitter(data).fit(options).solver, "spectral");
  options.solver = "exact";
  try {
    Fitter(data).fit(options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--solver exact"));
  }
}

}  // namespace
}  // namespace sqmax
