// Gradient steps on data and options at the edge: every loss, by adam and by sgd. What comes out is
// finite, or it is one sentence; and one step is that of the gradient in double.
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/solve/solve.h"

#include "tests/support/dense_step.h"
#include "tests/support/edge_data.h"
#include "tests/support/loss_cases.h"
#include "tests/support/score_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

const std::vector<std::string> kRules = {"adam", "sgd"};

bool all_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// The sentence, or nothing and a solution of the right shape.
std::string descend(const std::string& rule, const Problem& problem, const SolveOptions& options) {
  try {
    const Solution found = find_solver(rule, problem).run(problem, options, {});
    EXPECT_EQ(found.P.rows(), problem.by_user.rows);
    EXPECT_EQ(found.Q.rows(), problem.by_user.cols);
    EXPECT_EQ(found.P.cols(), options.rank);
    EXPECT_TRUE(all_finite(found.P.values()) && all_finite(found.Q.values()));
    EXPECT_TRUE(all_finite(found.user_extra) && all_finite(found.item_extra));
    EXPECT_TRUE(std::isfinite(found.residual));
    return "";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    return error.what();
  }
}

class EdgeScores : public testing::TestWithParam<ScoreCase> {
 protected:
  static std::string run(const std::string& rule, const ScoreLoss& loss, const EdgeData& data,
                         Index rank) {
    const QuadraticForm none;
    return descend(rule, {none, data.by_user, {}, &loss}, {.rank = rank, .iterations = 4});
  }
  static ScoreLoss with(const std::string& option, double value) {
    ScoreCase changed = GetParam();
    changed.settings[option] = value;
    return changed.declare();
  }
};

TEST_P(EdgeScores, OnAnyShapeAndRank) {
  const ScoreLoss loss = GetParam().declare();
  for (const EdgeData& data : edge_data()) {
    for (const std::string& rule : kRules) {
      for (const Index rank : {Index{1}, data.full_rank()}) {
        SCOPED_TRACE(data.name + " by " + rule + ", rank " + std::to_string(rank));
        EXPECT_EQ(run(rule, loss, data, rank), "");
      }
    }
  }
}

// All that the options allow, from end to end; nothing of it is refused.
TEST_P(EdgeScores, WithAnyRateAndDecay) {
  for (const EdgeData& data : edge_data()) {
    for (const std::string& rule : kRules) {
      SCOPED_TRACE(data.name + " by " + rule);
      for (const double decay : {0.0, 1e-30, 1e-8, 1.0, 1e3}) {
        EXPECT_EQ(run(rule, with("decay", decay), data, data.full_rank()), "") << "κ " << decay;
      }
      for (const double rate : {1e-9, 1e-4, 1.0, 30.0, 1e3}) {
        EXPECT_EQ(run(rule, with("learning-rate", rate), data, data.full_rank()), "")
            << "η " << rate;
      }
    }
  }
}

// Scores that no exponential holds: values and slopes are numbers all the same.
TEST_P(EdgeScores, ScoresOfAnySize) {
  const ScoreLoss loss = GetParam().declare();
  for (const float size : {0.0f, 1e-30f, 1.0f, 90.0f, 1e4f, 1e15f}) {
    for (const std::vector<float>& signs : {std::vector<float>{1, -1, 0, -1},
                                            {-1, 1, 1, 1},
                                            {0, 0, 0, 0},
                                            {1, 1, 1, 1},
                                            {-1, -1, -1, -1}}) {
      std::vector<float> scores;
      for (const float sign : signs) scores.push_back(size * sign);
      SCOPED_TRACE(testing::Message() << size << " and " << signs[0] << signs[1] << signs[2]);
      if (loss.is_full()) {
        EXPECT_TRUE(std::isfinite(loss.full(std::vector<Index>{0, 2}, scores)));
        EXPECT_TRUE(all_finite(scores));
        continue;
      }
      const std::vector<float> shares(4, 0.3f);
      std::vector<float> users(4), items(loss.compares_items ? 4 : 0);
      const std::span<const float> own =
          loss.compares_items ? std::span<const float>(scores) : std::span<const float>();
      SampledSlopes slopes{.user = users, .item = items};
      EXPECT_TRUE(
          std::isfinite(loss.sampled({.user = scores, .item = own, .log_share = shares}, slopes)));
      EXPECT_TRUE(all_finite(users) && all_finite(items));
      EXPECT_TRUE(std::isfinite(slopes.user_extra) && std::isfinite(slopes.item_extra));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EdgeScores, testing::ValuesIn(score_cases()),
                         [](const auto& each) { return each.param.name(); });

// n_x e^{o_xy}/Z_x − r_xy, in double.
std::vector<DenseRow> softmax_slopes(CsrView by_user, const Matrix& P, const Matrix& Q) {
  std::vector<DenseRow> slopes(at(by_user.rows), DenseRow(at(by_user.cols)));
  for (Index x = 0; x < by_user.rows; ++x) {
    DenseRow& row = slopes[at(x)];
    for (Index y = 0; y < by_user.cols; ++y) {
      for (Offset k = 0; k < P.cols(); ++k) row[at(y)] += double{P(x, k)} * Q(y, k);
    }
    const double peak = *std::ranges::max_element(row);
    double Z = 0.0;
    for (double& o : row) Z += o = std::exp(o - peak);
    for (double& o : row) o *= static_cast<double>(by_user.row_size(x)) / Z;
    for (const Index y : by_user.row(x)) row[at(y)] -= 1.0;
  }
  return slopes;
}

// One step of all users at once, from vectors of the usual size and from such whose scores are in
// the thousands.
TEST(EdgeSoftmax, OneStepIsThatInDouble) {
  constexpr double kRate = 0.25;
  const ScoreLoss loss =
      find_loss("sm").declare_scores({{"batch", 1e6}, {"decay", 0.0}, {"learning-rate", kRate}});
  for (const EdgeData& data : edge_data()) {
    for (const double spread : {0.1, 1.0, 30.0}) {
      SCOPED_TRACE(testing::Message() << data.name << ", spread " << spread);
      TinyData random(2, 2, 0.5, 9);
      const CsrView by_user = data.by_user;
      const Matrix P = random.factors(by_user.rows, 2, spread);
      const Matrix Q = random.factors(by_user.cols, 2, spread);
      const QuadraticForm none;
      const Problem problem{none, by_user, {}, &loss};
      const Solution found =
          find_solver("sgd", problem)
              .run(problem, {.rank = 2, .iterations = 1, .start_users = P, .start_items = Q}, {});
      const std::vector<DenseRow> slopes = softmax_slopes(by_user, P, Q);
      // a score is a sum of two products: off by 10⁻⁷ of its size, and its exponential as much
      const double close = 1e-5 * spread * (1.0 + spread * spread);
      for (Index x = 0; x < by_user.rows; ++x) {
        for (Offset k = 0; k < 2; ++k) {
          double want = P(x, k);
          for (Index y = 0; y < by_user.cols; ++y) want -= kRate * slopes[at(x)][at(y)] * Q(y, k);
          EXPECT_NEAR(found.P(x, k), want, close) << "user " << x;
        }
      }
      for (Index y = 0; y < by_user.cols; ++y) {
        for (Offset k = 0; k < 2; ++k) {
          double want = Q(y, k);
          for (Index x = 0; x < by_user.rows; ++x) want -= kRate * slopes[at(x)][at(y)] * P(x, k);
          EXPECT_NEAR(found.Q(y, k), want, close) << "item " << y;
        }
      }
    }
  }
}

class EdgeSquares : public testing::TestWithParam<LossCase> {
 protected:
  static std::string run(const std::string& rule, const QuadraticForm& form, const EdgeData& data,
                         Index rank, double rate = 0.01) {
    const Csr by_item = transpose(data.by_user);
    return descend(rule, {form, data.by_user, by_item},
                   {.rank = rank, .iterations = 4, .learning_rate = rate});
  }
};

TEST_P(EdgeSquares, OnAnyShapeRankAndRate) {
  for (const EdgeData& data : edge_data()) {
    const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
    for (const std::string& rule : kRules) {
      for (const Index rank : {Index{1}, data.full_rank()}) {
        for (const double rate : {1e-30, 1e-9, 0.01, 1.0, 1e3, 1e9, 1e30}) {
          SCOPED_TRACE(data.name + " by " + rule + ", rank " + std::to_string(rank));
          EXPECT_EQ(run(rule, form, data, rank, rate), "") << "η " << rate;
        }
      }
    }
  }
}

TEST_P(EdgeSquares, WithAnyRidgeAndConfidence) {
  for (const EdgeData& data : edge_data()) {
    for (const std::string option : {"lambda", "alpha", "beta"}) {
      const auto& known = find_loss(GetParam().loss).options;
      if (std::ranges::find(known, option, &OptionSpec::name) == known.end()) continue;
      for (const double value : {0.0, 1e-38, 1e-12, 1e-4, 1e4, 1e12, 1e30, 1e38, 1e200}) {
        LossCase loss = GetParam();
        loss.settings[option] = value;
        SCOPED_TRACE(data.name + ", --" + option + " " + std::to_string(std::log10(value)));
        try {
          const QuadraticForm form = spell_out(loss.law(data.by_user), data.by_user);
          const bool moderate = value == 0.0 || (value > 1e-13 && value < 1e13);
          for (const std::string& rule : kRules) {
            const std::string sentence = run(rule, form, data, data.full_rank());
            EXPECT_TRUE(!moderate || sentence.empty()) << sentence;
          }
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find(option), std::string::npos) << error.what();
        }
      }
    }
  }
}

// x − η ∂L/∂x of both sides, both from where the other was before the step.
TEST_P(EdgeSquares, OneStepIsThatInDouble) {
  constexpr double kRate = 0.125;
  for (const EdgeData& data : edge_data()) {
    SCOPED_TRACE(data.name);
    const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
    TinyData random(2, 2, 0.5, 8);
    const Csr by_item = transpose(data.by_user);
    const Matrix P = random.factors(data.by_user.rows, 2, 0.5);
    const Matrix Q = random.factors(data.by_user.cols, 2, 0.5);
    const Problem problem{form, data.by_user, by_item};
    const Solution found = find_solver("sgd", problem)
                               .run(problem,
                                    {.rank = 2,
                                     .iterations = 1,
                                     .start_users = P,
                                     .start_items = Q,
                                     .learning_rate = kRate},
                                    {});
    const DenseRow users = dense_gradient(form.users, form.items, form.target, data.by_user, P, Q);
    const DenseRow items = dense_gradient(form.items, form.users, form.target, by_item, Q, P);
    const auto check = [&](const Matrix& moved, const Matrix& from, const DenseRow& gradient) {
      double size = 1.0;
      for (const double slope : gradient) size = std::max(size, kRate * std::abs(slope));
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        EXPECT_NEAR(moved.values()[i], from.values()[i] - kRate * gradient[i], 1e-5 * size) << i;
      }
    };
    check(found.P, P, users);
    check(found.Q, Q, items);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EdgeSquares, testing::ValuesIn(loss_cases()),
                         [](const auto& each) { return each.param.name(); });

}  // namespace
}  // namespace sqmax
