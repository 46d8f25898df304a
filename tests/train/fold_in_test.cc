// Folding a training row in gives back the vector that training gave it, for every loss and solver.
#include "sqmax/solve/fold_in.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/fit.h"

#include "tests/support/dense_step.h"
#include "tests/support/numbered.h"
#include "tests/support/squared_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

Dataset dataset_of(const TinyData& data) {
  Dataset dataset;
  dataset.users = numbered(data.by_user.rows, "u");
  dataset.items = numbered(data.by_user.cols, "i");
  dataset.train = data.by_user;
  dataset.valid = dataset.test = dataset.history = empty_csr(data.by_user.rows, data.by_user.cols);
  return dataset;
}

class FoldInOfEveryLoss : public testing::TestWithParam<SquaredCase> {
 protected:
  FoldInOfEveryLoss() {
    result_ = Fitter(dataset_).fit({.loss = GetParam().loss.loss,
                                    .options = GetParam().loss.settings,
                                    .solver = GetParam().solver,
                                    .solve = {.rank = 4, .iterations = 30, .tolerance = 1e-6}});
  }
  // The same vectors, with the second coordinate like the first.
  static std::vector<float> with_twins(const Factors& factors) {
    std::vector<float> values(factors.values.begin(), factors.values.end());
    for (std::size_t i = 0; i < values.size(); i += 4) values[i + 1] = values[i];
    return values;
  }

  TinyData data_{40, 25, 0.25, 8};
  Dataset dataset_ = dataset_of(data_);
  FitResult result_;
};

// One row solves K×K equations in single precision; an exact solution is as good as its residual.
TEST_P(FoldInOfEveryLoss, ATrainingRowIsItsOwnFoldIn) {
  const Model& model = result_.model;
  const FoldIn fold_in(model);
  double largest = 0.0;
  for (const float value : model.P.values) largest = std::max(largest, std::abs(double{value}));
  ASSERT_GT(largest, 0.0);
  for (Index x = 0; x < model.user_count(); ++x) {
    if (model.seen.view().row_size(x) == 0) continue;  // RG² gives such a row no weight at all
    std::vector<float> p(4);
    fold_in.row(model.seen.view().row(x), p);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(p[k], model.P.view().row(x)[k], 2e-3 * largest) << "user " << x;
    }
  }
}

// One more item, dense: the slope of the loss vanishes in each of its coordinates.
TEST_P(FoldInOfEveryLoss, AnItemThatJoinsStandsAtItsMinimum) {
  const Model& model = result_.model;
  const Index N = model.item_count();
  QuadraticForm form = spell_out(model.law, model.seen);
  std::vector<std::vector<Index>> rows;
  std::vector<Index> history;
  double weight = 0.0;
  double curvature = 0.0;
  for (Index x = 0; x < model.user_count(); ++x) {
    const auto row = model.seen.view().row(x);
    rows.emplace_back(row.begin(), row.end());
    weight += form.users.weight[at(x)];
    if (x % 3 != 0) continue;
    rows.back().push_back(N);
    history.push_back(x);
    curvature += form.users.curvature[at(x)];
  }
  const SideLaw& law = model.law.items;
  const auto n = static_cast<double>(history.size());
  const double share = law.weight(n) * weight + law.curvature(n) * curvature;
  form.items.weight.push_back(static_cast<float>(law.weight(n)));
  form.items.lean.push_back(static_cast<float>(law.lean(n)));
  form.items.curvature.push_back(static_cast<float>(law.curvature(n)));
  form.items.pull.push_back(static_cast<float>(law.pull(n)));
  form.items.ridge.push_back(static_cast<float>(law.ridge(n) + model.law.weighted_ridge * share));
  Matrix Q(N + 1, 4);
  std::ranges::copy(model.Q.values.span(), Q.values().begin());
  FoldIn(model, Side::Items).row(history, Q.row(N));

  const Csr by_user = csr_of(N + 1, rows);
  const auto loss = [&] { return dense_loss(form, by_user, model.P.view(), Q); };
  const double scale = 1.0 + std::abs(loss());
  for (float& value : Q.row(N)) {
    EXPECT_NE(value, 0.0f);
    EXPECT_NEAR(slope_along(value, loss), 0.0, 2e-4 * scale);
  }
}

// Rows that are nearly singular are solved in double, and so is what they are asked for.
TEST_P(FoldInOfEveryLoss, AResponseToADirectionSolvesTheSystemOfItsRow) {
  Model model = result_.model;
  LossCase bare = GetParam().loss;
  bare.settings["lambda"] = 1e-6;
  model.law = bare.law(model.seen);
  model.Q.values = with_twins(model.Q);
  const QuadraticForm form = spell_out(model.law, model.seen);
  if (form.items.interaction != 0.0) return;  // then rows are not on their own
  const auto history = model.seen.view().row(1);
  ASSERT_FALSE(history.empty());
  const auto d = model.Q.view().row(history[0]);
  std::vector<float> x(4);
  ASSERT_TRUE(FoldIn(model).respond(history, d, x));
  Matrix Q(model.item_count(), 4);
  std::ranges::copy(model.Q.values.span(), Q.values().begin());
  const DenseSystem row = dense_system(form.users, form.items, form.target, history, 1, Q);
  for (std::size_t i = 0; i < 4; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j) sum += row.A[i][j] * x[j];
    EXPECT_NEAR(sum, d[i], 1e-3 * std::abs(d[i]));
  }
}

// Two coordinates that are the same for every user: without a ridge nothing says how an item should
// share its pull among them, so it shares it equally, instead of as rounding decides.
TEST_P(FoldInOfEveryLoss, CoordinatesThatNothingTellsApartAreAlike) {
  Model model = result_.model;
  LossCase bare = GetParam().loss;
  bare.settings["lambda"] = 0.0;
  model.law = bare.law(model.seen);
  model.P.values = with_twins(model.P);
  std::vector<float> q(4);
  FoldIn(model, Side::Items).row(std::vector<Index>{0, 3, 6, 9}, q);
  EXPECT_NE(q[0], 0.0f);
  EXPECT_NEAR(q[0], q[1], 0.1 * std::abs(q[0]));
}

TEST_P(FoldInOfEveryLoss, ManyAreTheSameAsOneByOneWhateverTheThreads) {
  const FoldIn fold_in(result_.model);
  const auto folded = [&](int threads) {
    const ThreadLimit limit(threads);
    return fold_in.rows(data_.by_user);
  };
  const Matrix one = folded(1);
  const Matrix three = folded(3);
  EXPECT_EQ(0, std::memcmp(one.values().data(), three.values().data(), one.values().size_bytes()));
  for (Index x = 0; x < data_.by_user.rows; ++x) {
    std::vector<float> p(4);
    fold_in.row(data_.by_user.view().row(x), p);
    EXPECT_TRUE(std::ranges::equal(p, one.row(x))) << "user " << x;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, FoldInOfEveryLoss, testing::ValuesIn(squared_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST(FoldIn, AModelWithoutVectorsFoldsInNothing) {
  const TinyData data(10, 8, 0.4, 2);
  const Dataset dataset = dataset_of(data);
  const Model model = Fitter(dataset).fit({.loss = "popularity"}).model;
  EXPECT_EQ(FoldIn(model).rows(data.by_user).cols(), 0);
}

}  // namespace
}  // namespace sqmax
