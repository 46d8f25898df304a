// A of the closed form: its products are those of the dense matrix, whole or part by part.
#include "solve/target_matrix.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"
#include "sqmax/loss/loss_spec.h"

#include "solve/exact.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

struct Example : TinyData {
  Example(Index users, Index items)
      : TinyData(users, items, 0.2, 5),
        form(spell_out(find_loss("rgp").declare(
                           completed("rgp", find_loss("rgp").options,
                                     {{"alpha", 0.0}, {"ridge", std::string("weighted")}}),
                           degrees_of(by_user)),
                       by_user)) {}

  Problem both_sides() const { return {form, by_user, by_item}; }
  Problem by_user_alone() const { return {form, by_user}; }

  QuadraticForm form;
};

// A_xy in double, from its definition.
double entry(const Example& example, Index x, Index y) {
  const auto row = example.by_user.view().row(x);
  const SideTerms& users = example.form.users;
  const SideTerms& items = example.form.items;
  const double observed = std::ranges::binary_search(row, y) ? 1.0 : 0.0;
  const double scale = std::sqrt(double{users.weight[at(x)]} * items.weight[at(y)]);
  if (scale == 0.0) return 0.0;
  return (observed * users.pull[at(x)] * items.pull[at(y)] +
          example.form.target * users.lean[at(x)] * items.lean[at(y)]) /
         scale;
}

Matrix random_matrix(Offset rows, Offset cols) {
  Random random(9, Purpose::Test);
  Matrix X(rows, cols);
  for (float& x : X.values()) x = static_cast<float>(random.normal());
  return X;
}

// AᵀA X with items near, AAᵀX with users near, by three loops; of the far rows that are chosen.
Matrix dense_gram_product(
    const Example& example, bool items_are_near, const Matrix& X,
    const std::function<bool(Index)>& is_chosen = [](Index) { return true; }) {
  const Index far = items_are_near ? example.by_user.rows : example.by_item.rows;
  const Index near = items_are_near ? example.by_item.rows : example.by_user.rows;
  const auto a = [&](Index f, Index n) {
    return items_are_near ? entry(example, f, n) : entry(example, n, f);
  };
  Matrix Z(near, X.cols());
  for (Offset c = 0; c < X.cols(); ++c) {
    std::vector<double> z(at(near));
    for (Index f = 0; f < far; ++f) {
      if (!is_chosen(f)) continue;
      double sum = 0.0;
      for (Index n = 0; n < near; ++n) sum += a(f, n) * X(n, c);
      for (Index n = 0; n < near; ++n) z[at(n)] += a(f, n) * sum;
    }
    for (Index n = 0; n < near; ++n) Z(n, c) = static_cast<float>(z[at(n)]);
  }
  return Z;
}

void expect_near(const Matrix& actual, const Matrix& expected, double tolerance) {
  double size = 0.0;
  double error = 0.0;
  ASSERT_EQ(actual.values().size(), expected.values().size());
  for (std::size_t i = 0; i < actual.values().size(); ++i) {
    size = std::max(size, double{std::abs(expected.values()[i])});
    error = std::max(error, double{std::abs(actual.values()[i] - expected.values()[i])});
  }
  EXPECT_LE(error, tolerance * size);
}

TEST(TargetMatrix, GramProductIsThatOfTheDenseMatrix) {
  for (const auto& [users, items] : {std::pair{40, 17}, {17, 40}}) {
    const Example example(users, items);
    TargetMatrix A(example.both_sides());
    EXPECT_EQ(A.items_are_near(), items < users);
    const Matrix X = random_matrix(A.near_size(), 9);
    const Matrix dense = dense_gram_product(example, A.items_are_near(), X);
    expect_near(A.gram_product(X, kernels::Storage::Single), dense, 1e-5);
    expect_near(A.gram_product(X, kernels::Storage::Half), dense, 2e-3);
  }
}

// Halves are scaled by bounds of the values.
TEST(TargetMatrix, GramProductInHalvesOfAnySize) {
  const Example example(40, 17);
  TargetMatrix A(example.both_sides());
  for (const float size : {1e-25f, 1e-8f, 1e8f, 1e25f}) {
    Matrix X = random_matrix(17, 9);
    for (float& x : X.values()) x *= size;
    expect_near(A.gram_product(X, kernels::Storage::Half), dense_gram_product(example, true, X),
                2e-3);
  }
}

TEST(TargetMatrix, PartByPartIsTheSame) {
  for (const auto& [users, items] : {std::pair{300, 5}, {17, 40}}) {
    const Example example(users, items);
    for (const Offset part : {1, 50, 1000000}) {
      TargetMatrix A(example.by_user_alone(), 0, part);
      EXPECT_TRUE(A.items_are_near());
      const Matrix X = random_matrix(A.near_size(), 9);
      const Matrix dense = dense_gram_product(example, true, X);
      expect_near(A.gram_product(X, kernels::Storage::Single), dense, 1e-5);
      expect_near(A.gram_product(X, kernels::Storage::Half), dense, 2e-3);
    }
  }
}

TEST(TargetMatrix, PartByPartIsTheSameForAnyNumberOfThreads) {
  const Example example(300, 5);
  std::vector<Matrix> results;
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    TargetMatrix A(example.by_user_alone(), 0, 1);
    results.push_back(A.gram_product(random_matrix(5, 4), kernels::Storage::Half));
  }
  EXPECT_TRUE(std::ranges::equal(results[0].values(), results[1].values()));
}

TEST(TargetMatrix, PartsThatAreKeptChangeNothing) {
  const Example example(300, 5);
  const Matrix X = random_matrix(5, 4);
  TargetMatrix forgetful(example.by_user_alone(), 0, 1);
  const Matrix expected = forgetful.gram_product(X, kernels::Storage::Single);
  for (const std::int64_t spare : {1, 500, 1000000}) {
    TargetMatrix A(example.by_user_alone(), spare, 1);
    for (int product = 0; product < 3; ++product) {
      const Matrix Z = A.gram_product(X, kernels::Storage::Single);
      EXPECT_TRUE(std::ranges::equal(Z.values(), expected.values())) << spare << " " << product;
    }
  }
}

TEST(TargetMatrix, ASampleIsEverySixteenthPart) {
  const Example example(5000, 5);
  const MatrixParts parts(example.by_user, 0, 1);
  std::vector<bool> is_sampled(5000);
  for (const MatrixPart& part : parts.all()) {
    for (Offset x = part.begin; x < part.end; ++x) {
      is_sampled[at(x)] = part.number % TargetMatrix::kSample == 8;
    }
  }
  TargetMatrix A(example.by_user_alone(), 0, 1);
  ASSERT_TRUE(A.has_sample());
  ASSERT_LT(std::ranges::count(is_sampled, true), 1000);
  const Matrix X = random_matrix(5, 4);
  expect_near(A.sample_product(X, kernels::Storage::Single),
              dense_gram_product(example, true, X, [&](Index x) { return is_sampled[at(x)]; }),
              1e-5);
  EXPECT_FALSE(TargetMatrix(example.by_user_alone()).has_sample());
  EXPECT_FALSE(TargetMatrix(example.both_sides(), 0, 1).has_sample());
}

// Users of one of 40 topics after the other, then `alone` users of a topic that nobody else has; 20
// items belong to a topic, of which a user has some, and a few of all other items.
struct Topics {
  Topics(Index users, Index alone) : by_user(interactions(users, alone)), form(form_of(by_user)) {}

  static Csr interactions(Index users, Index alone) {
    Random random(4, Purpose::Test);
    std::vector<std::vector<Index>> rows;
    for (Index x = 0; x < users + alone; ++x) {
      const Index topic = x < users ? x % 40 : 40;
      const Index others = x < users ? 800 : 0;
      std::vector<Index> row;
      for (Index y = 0; y < 820; ++y) {
        const double chance = y / 20 == topic ? 0.3 + 0.005 * topic : y < others ? 0.01 : 0.0;
        if (random.uniform() < chance) row.push_back(y);
      }
      rows.push_back(std::move(row));
    }
    return csr_of(820, rows);
  }
  static QuadraticForm form_of(const Csr& by_user) {
    const Settings options = completed("rgp", find_loss("rgp").options,
                                       {{"alpha", 0.0}, {"ridge", std::string("weighted")}});
    return spell_out(find_loss("rgp").declare(options, degrees_of(by_user)), by_user);
  }
  Problem problem() const { return {form, by_user}; }

  Csr by_user;
  QuadraticForm form;
};

void expect_same_values(const Factorisation& actual, const Factorisation& expected) {
  EXPECT_EQ(actual.reason, StopReason::Converged);
  ASSERT_EQ(actual.sigma.size(), expected.sigma.size());
  for (std::size_t k = 0; k < expected.sigma.size(); ++k) {
    EXPECT_NEAR(actual.sigma[k], expected.sigma[k], 2e-3 * expected.sigma[k]) << k;
  }
}

TEST(TargetMatrix, ASampleToBeginWithSavesSteps) {
  const Topics example(60000, 0);
  const SolveOptions options{.rank = 32};
  ASSERT_TRUE(TargetMatrix(example.problem(), 0, 1).has_sample());
  const Factorisation plain = factorise(example.problem(), options, {});
  const Factorisation sampled = factorise(example.problem(), options, {}, 1);
  expect_same_values(sampled, plain);
  EXPECT_LT(sampled.steps, plain.steps);
}

// The last parts are not in the sample, and a topic is in no other one.
TEST(TargetMatrix, WhatASampleDoesNotShowIsFound) {
  const Topics example(56000, 4000);
  const SolveOptions options{.rank = 32};
  const MatrixParts parts(example.by_user, 0, 1);
  const std::size_t of_last =
      TargetMatrix::kSample / 2 + (parts.all().size() - 1 - TargetMatrix::kSample / 2) /
                                      TargetMatrix::kSample * TargetMatrix::kSample;
  ASSERT_TRUE(TargetMatrix(example.problem(), 0, 1).has_sample());
  ASSERT_LE(parts.all()[of_last].end, 56000) << of_last << " of " << parts.all().size();
  expect_same_values(factorise(example.problem(), options, {}, 1),
                     factorise(example.problem(), options, {}));
}

// Scores, since singular vectors may change their sign.
TEST(TargetMatrix, TheMinimumIsTheSameFromOneSideAlone) {
  const Example example(60, 30);
  const SolveOptions options{.rank = 6, .tolerance = 1e-6};
  const Solution both = solve_exact(example.both_sides(), options, {});
  const Solution alone = solve_exact(example.by_user_alone(), options, {});
  for (Index x = 0; x < 60; ++x) {
    for (Index y = 0; y < 30; ++y) {
      double a = 0.0;
      double b = 0.0;
      for (Offset k = 0; k < 6; ++k) {
        a += double{both.P(x, k)} * both.Q(y, k);
        b += double{alone.P(x, k)} * alone.Q(y, k);
      }
      EXPECT_NEAR(a, b, 1e-4 * (1.0 + std::abs(a)));
    }
  }
}

}  // namespace
}  // namespace sqmax
