// Folding a training row in gives back the vector that training gave it, for every loss and solver.
#include "sqmax/solve/fold_in.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/fit.h"

#include "solve/half_step.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

struct Case {
  std::string loss;
  Settings options;
  std::string solver;
};

// Every loss with factors, by every solver that can minimise it, under each choice it offers.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const TinyData data(20, 15, 0.3, 1);
  for (const LossSpec& loss : losses()) {
    if (!loss.has_factors) continue;
    std::vector<Settings> settings = {{}};
    for (const OptionSpec& option : loss.options) {
      for (const auto& choice : option.choices) settings.push_back({{option.name, choice}});
      if (option.name == "alpha") settings.push_back({{"alpha", 0.5}});
    }
    for (const Settings& options : settings) {
      const auto law = loss.declare(options, degrees_of(data.by_user));
      const QuadraticForm form = spell_out(law, data.by_user);
      for (const SolverSpec& solver : solvers()) {
        if (solver.applies(form)) cases.push_back({loss.name, options, solver.name});
      }
    }
  }
  return cases;
}

Dataset dataset_of(const TinyData& data) {
  Dataset dataset;
  IdMap users;
  IdMap items;
  for (Index x = 0; x < data.by_user.rows; ++x) users.insert("u" + std::to_string(x));
  for (Index y = 0; y < data.by_user.cols; ++y) items.insert("i" + std::to_string(y));
  dataset.users = users.table();
  dataset.items = items.table();
  dataset.train = data.by_user;
  dataset.valid = dataset.test = dataset.history = empty_csr(data.by_user.rows, data.by_user.cols);
  return dataset;
}

class FoldInOfEveryLoss : public testing::TestWithParam<Case> {
 protected:
  FoldInOfEveryLoss() {
    result = Fitter(dataset).fit({.loss = GetParam().loss,
                                  .options = GetParam().options,
                                  .solver = GetParam().solver,
                                  .solve = {.rank = 4, .iterations = 30, .tolerance = 1e-6}});
  }
  TinyData data{40, 25, 0.25, 8};
  Dataset dataset = dataset_of(data);
  FitResult result;
};

// One row solves K×K equations in single precision; an exact solution is as good as its residual.
TEST_P(FoldInOfEveryLoss, ATrainingRowIsItsOwnFoldIn) {
  const Model& model = result.model;
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

// Of an item, the row that the item half-step gives with the users fixed.
TEST_P(FoldInOfEveryLoss, AnItemIsARowOfTheItemsHalfStep) {
  const Model& model = result.model;
  const QuadraticForm form = spell_out(model.law, model.seen);
  Matrix Q(model.item_count(), 4);
  half_step(form.items, form.users, form.target, data.by_item, model.P.view(), Q.view());
  const Matrix folded = FoldIn(model, Side::Items).rows(data.by_item);
  double largest = 0.0;
  for (const float value : Q.values()) largest = std::max(largest, std::abs(double{value}));
  ASSERT_GT(largest, 0.0);
  for (std::size_t i = 0; i < Q.values().size(); ++i) {
    EXPECT_NEAR(folded.values()[i], Q.values()[i], 1e-4 * largest);
  }
}

TEST_P(FoldInOfEveryLoss, ManyAreTheSameAsOneByOneWhateverTheThreads) {
  const FoldIn fold_in(result.model);
  const auto folded = [&](int threads) {
    const ThreadLimit limit(threads);
    return fold_in.rows(data.by_user);
  };
  const Matrix one = folded(1);
  const Matrix three = folded(3);
  EXPECT_EQ(0, std::memcmp(one.values().data(), three.values().data(), one.values().size_bytes()));
  for (Index x = 0; x < data.by_user.rows; ++x) {
    std::vector<float> p(4);
    fold_in.row(data.by_user.view().row(x), p);
    EXPECT_TRUE(std::ranges::equal(p, one.row(x))) << "user " << x;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, FoldInOfEveryLoss, testing::ValuesIn(all_cases()),
                         [](const auto& each) {
                           std::string name = each.param.loss + "_" + each.param.solver;
                           return name + "_" + std::to_string(each.index);
                         });

TEST(FoldIn, AModelWithoutVectorsFoldsInNothing) {
  const TinyData data(10, 8, 0.4, 2);
  const Dataset dataset = dataset_of(data);
  const Model model = Fitter(dataset).fit({.loss = "popularity"}).model;
  EXPECT_EQ(FoldIn(model).rows(data.by_user).cols(), 0);
}

}  // namespace
}  // namespace sqmax
