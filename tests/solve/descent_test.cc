// Gradient steps: rules by the textbook, gradients by differences, and what a run promises.
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "solve/descend.h"
#include "solve/epochs.h"
#include "solve/step_rule.h"
#include "tests/support/dense_loss.h"
#include "tests/support/loss_cases.h"
#include "tests/support/score_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

TEST(Adam, MakesTheStepsOfTheTextbook) {
  const auto rule = adam_rule({.rows = 3, .cols = 19, .rate = 0.05});
  TinyData data(2, 2, 0.5, 4);
  std::vector<double> m(19), v(19), x(19);
  std::vector<float> moved(19), other(19);
  for (int t = 1; t <= 40; ++t) {
    const Matrix gradient = data.factors(1, 19);
    rule->step(1, gradient.row(0), 0.25f, moved);
    rule->step(2, gradient.row(0), 0.5f, other);  // other rows do not matter
    for (std::size_t k = 0; k < 19; ++k) {
      const double g = gradient.row(0)[k] + 0.25 * x[k];
      m[k] = 0.9 * m[k] + 0.1 * g;
      v[k] = 0.999 * v[k] + 0.001 * g * g;
      const double m_hat = m[k] / (1.0 - std::pow(0.9, t));
      const double v_hat = v[k] / (1.0 - std::pow(0.999, t));
      x[k] -= 0.05 * m_hat / (std::sqrt(v_hat) + 1e-8);
      EXPECT_NEAR(moved[k], x[k], 1e-4) << "step " << t;
    }
  }
}

TEST(Sgd, GoesAlongTheSumOfItsPairs) {
  const auto rule = sgd_rule({.rows = 1, .cols = 2, .rate = 0.5, .pairs = 8.0});
  std::vector<float> x = {1.0f, 2.0f};
  rule->step(0, std::vector<float>{0.25f, -1.0f}, 0.0f, x);
  EXPECT_EQ(x, (std::vector<float>{0.0f, 6.0f}));
  rule->step(0, std::vector<float>{0.25f, -1.0f}, 0.125f, x);
  EXPECT_EQ(x, (std::vector<float>{-1.0f, 7.0f}));
}

/// Shows what it was given, and moves x by `far`: nothing of the same step may look there.
class Spy final : public StepRule {
 public:
  Spy(const StepShape& shape, std::vector<Matrix>& seen, float far = 0.0f)
      : seen_(seen), number_(seen.size()), far_(far) {
    seen_.emplace_back(shape.rows, shape.cols);
  }
  void step(Offset row, std::span<const float> gradient, float decay, std::span<float> x) override {
    const auto seen = seen_[number_].row(row);
    for (std::size_t k = 0; k < x.size(); ++k) {
      seen[k] = gradient[k] + decay * x[k];
      x[k] += far_;
    }
  }
  void fetch(Offset) const override {}
  void show(const std::string&, StateVisitor&) override {}

 private:
  std::vector<Matrix>& seen_;
  std::size_t number_;
  float far_;
};

/// Extras of the rows of each side; empty: as they start.
struct GivenExtras {
  std::vector<float> users;
  std::vector<float> items;
};

class ExtraSetter final : public StateVisitor {
 public:
  explicit ExtraSetter(const GivenExtras& given) : given_(given) {}
  void visit(const std::string& name, std::span<float> values) override {
    const std::vector<float>& from = name == "users.extras" ? given_.users : given_.items;
    if (name.ends_with(".extras") && !from.empty()) std::ranges::copy(from, values.begin());
  }
  void visit(const std::string&, std::span<std::int64_t>) override {}
  void visit(const std::string&, std::span<double>) override {}
  void visit_list(const std::string&, std::vector<float>&) override {}
  void visit_list(const std::string&, std::vector<double>&) override {}

 private:
  const GivenExtras& given_;
};

class EveryDescent : public testing::TestWithParam<ScoreCase> {
 protected:
  Solution run(const SolveOptions& options, const OnSolve& listener = {}) {
    const QuadraticForm none;
    return solve_adam({none, data_.by_user, {}, &loss_}, options, listener);
  }

  // The gradients of one epoch that is one step, and the mean of the loss there.
  double gradients(Matrix P, Matrix Q, std::vector<Matrix>& seen, const GivenExtras& extras = {}) {
    ScoreLoss whole = loss_;
    whole.descent.batch = 1 << 20;
    const MakeRule spy = [&seen](const StepShape& shape) {
      return std::make_unique<Spy>(shape, seen, 10.0f);
    };
    seen.reserve(4);
    MovingSides sides{{std::move(P), {.extra = loss_.user_extra}, spy, {}},
                      {std::move(Q), {.extra = loss_.item_extra}, spy, {}}};
    ExtraSetter setter(extras);
    sides.users.show("users", setter);
    sides.items.show("items", setter);
    const auto epochs = whole.is_full() ? full_epochs(whole, data_.by_user, 3, sides)
                                        : sampled_epochs(whole, data_.by_user, 3, sides);
    return epochs->run(1) / static_cast<double>(data_.by_user.nnz());
  }

  TinyData data_{25, 18, 0.3, 5};
  ScoreLoss loss_ = GetParam().declare();
};

// The draws depend on the seed, the epoch and the pair alone, so the value is a function of the
// vectors. Corners of hinges are left out.
TEST_P(EveryDescent, GradientsAreThoseOfTheMeanLoss) {
  Matrix P = data_.factors(25, 5, 0.4);
  Matrix Q = data_.factors(18, 5, 0.4);
  std::vector<Matrix> seen;
  gradients(P, Q, seen);
  const std::size_t items = loss_.user_extra ? 2 : 1;
  const auto value = [&] {
    std::vector<Matrix> unused;
    return gradients(P, Q, unused);
  };
  int tested = 0;
  const auto check = [&](float& x, float slope) {
    const float kept = x;
    const double here = value();
    x = kept + 2e-3f;
    const double up = value();
    x = kept - 2e-3f;
    const double down = value();
    x = kept;
    if (std::abs(up + down - 2.0 * here) > 2e-7) return;
    ++tested;
    EXPECT_NEAR((up - down) / 4e-3, slope, 3e-4);
  };
  for (const Offset x : {0, 3, 11}) {
    for (Offset k = 0; k < 5; ++k) check(P(x, k), seen[0](x, k));
  }
  for (const Offset y : {0, 4, 9}) {
    for (Offset k = 0; k < 5; ++k) check(Q(y, k), seen[items](y, k));
  }
  EXPECT_GT(tested, 10);
}

// Boundaries and margins: the slope of the mean loss, and that of their own term of the objective.
TEST_P(EveryDescent, SlopesOfExtrasAreThoseOfTheObjective) {
  const Matrix P = data_.factors(25, 5, 0.4);
  const Matrix Q = data_.factors(18, 5, 0.4);
  GivenExtras extras;
  if (loss_.user_extra) extras.users.assign(25, 0.3f);
  if (loss_.item_extra) extras.items.assign(18, 0.4f);
  std::vector<Matrix> seen;
  gradients(P, Q, seen, extras);
  const auto value = [&] {
    std::vector<Matrix> unused;
    return gradients(P, Q, unused, extras);
  };
  int tested = 0;
  const auto check = [&](std::vector<float>& side, const Extra& extra, const Matrix& slopes) {
    for (std::size_t row = 0; row < side.size(); ++row) {
      const float kept = std::exchange(side[row], side[row] + 1e-3f);
      const double up = value();
      side[row] = kept - 1e-3f;
      const double down = value();
      side[row] = kept;
      const double slope = (up - down) / 2e-3;
      if (std::abs(up + down - 2.0 * value()) > 1e-9) continue;  // a corner
      const float seen_slope = slopes(static_cast<Offset>(row), 0);
      if (slope == 0.0 && seen_slope == 0.0f) continue;  // not in the sample, or in balance
      ++tested;
      const double own = extra.slope / static_cast<double>(side.size());
      EXPECT_NEAR(slope + own, seen_slope, 3e-4) << row;
    }
  };
  if (loss_.user_extra) check(extras.users, *loss_.user_extra, seen[1]);
  if (loss_.item_extra) check(extras.items, *loss_.item_extra, seen.back());
  const bool has_extras = loss_.user_extra || loss_.item_extra;
  EXPECT_EQ(tested > 5, has_extras) << tested;
}

// κ_r = κ (n_r/n̄)^ν: what one plain step of length 1 takes off.
TEST_P(EveryDescent, DecayGrowsWithAPowerOfTheDegree) {
  const Matrix P = data_.factors(25, 5, 0.4);
  const Matrix Q = data_.factors(18, 5, 0.4);
  const auto pairs = static_cast<double>(data_.by_user.nnz());
  loss_.radius = 0.0;
  loss_.descent = {.rate = 1.0 / pairs, .batch = 1 << 20, .decay_power = 0.75};
  const auto step = [&](double decay) {
    const QuadraticForm none;
    loss_.descent.decay = decay;
    return solve_sgd({none, data_.by_user, {}, &loss_},
                     {.rank = 5, .iterations = 1, .start_users = P, .start_items = Q}, {});
  };
  const Solution without = step(0.0);
  const Solution with = step(0.5);
  for (Index x = 0; x < 25; ++x) {
    const auto degree = static_cast<double>(data_.by_user.view().row_size(x));
    const double share = std::pow(degree / (pairs / 25.0), 0.75);
    EXPECT_NEAR(without.P(x, 2) - with.P(x, 2), 0.5 * share * P(x, 2), 1e-5) << x;
  }
  for (Index y = 0; y < 18; ++y) {
    if (without.Q(y, 2) == Q(y, 2)) continue;  // not in the sample
    const auto degree = static_cast<double>(data_.by_item.view().row_size(y));
    const double share = std::pow(degree / (pairs / 18.0), 0.75);
    EXPECT_NEAR(without.Q(y, 2) - with.Q(y, 2), 0.5 * share * Q(y, 2), 1e-5) << y;
  }
}

TEST_P(EveryDescent, GoesDown) {
  std::vector<double> totals;
  run({.rank = 6, .iterations = 25, .report_objective = true}, [&](const SolveEvent& event) {
    EXPECT_EQ(event.half, Half::Both);
    EXPECT_TRUE(event.is_whole());
    totals.push_back(event.objective->total());
    return Next::Continue;
  });
  ASSERT_EQ(totals.size(), 25u);
  EXPECT_LT(totals.back(), totals.front());
}

TEST_P(EveryDescent, ThreadsDoNotChangeASingleBit) {
  data_ = TinyData(300, 200, 0.05, 2);
  const auto run_with = [&](int threads) {
    const ThreadLimit limit(threads);
    return run({.rank = 13, .iterations = 2});
  };
  const Solution one = run_with(1);
  const Solution three = run_with(3);
  EXPECT_EQ(
      0, std::memcmp(one.P.values().data(), three.P.values().data(), one.P.values().size_bytes()));
  EXPECT_EQ(
      0, std::memcmp(one.Q.values().data(), three.Q.values().data(), one.Q.values().size_bytes()));
  EXPECT_EQ(one.user_extra, three.user_extra);
  EXPECT_EQ(one.item_extra, three.item_extra);
}

TEST_P(EveryDescent, StaysWhereItIsAllowed) {
  const Solution solution = run({.rank = 6, .iterations = 10});
  EXPECT_EQ(solution.user_extra.size(), loss_.user_extra ? 25u : 0u);
  EXPECT_EQ(solution.item_extra.size(), loss_.item_extra ? 18u : 0u);
  for (const float value : solution.user_extra) {
    EXPECT_GE(value, static_cast<float>(loss_.user_extra->low));
    EXPECT_LE(value, static_cast<float>(loss_.user_extra->high));
  }
  if (loss_.radius == 0.0) return;
  for (Offset y = 0; y < 18; ++y) {
    double square = 0.0;
    for (const float value : solution.Q.row(y)) square += double{value} * value;
    EXPECT_LE(square, loss_.radius * loss_.radius * (1.0 + 1e-5));
  }
}

TEST_P(EveryDescent, EndsWithTheBestStateWhenItDiverges) {
  loss_.radius = 0.0;
  loss_.descent.rate = 1e30;
  const Solution solution = run({.rank = 4, .iterations = 20});
  EXPECT_EQ(solution.reason, StopReason::Diverged);
  EXPECT_LT(solution.steps, 20);
  ASSERT_EQ(solution.P.rows(), 25);
  for (const float value : solution.P.values()) ASSERT_TRUE(std::isfinite(value));
  for (const float value : solution.Q.values()) ASSERT_TRUE(std::isfinite(value));
}

TEST_P(EveryDescent, StopsWhenItIsTold) {
  const Solution solution = run({.rank = 4, .iterations = 9}, [](const SolveEvent& event) {
    return event.step == 3 ? Next::Stop : Next::Continue;
  });
  EXPECT_EQ(solution.reason, StopReason::Stopped);
  EXPECT_EQ(solution.steps, 3);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryDescent, testing::ValuesIn(score_cases()),
                         [](const auto& spec) { return spec.param.name(); });

class EverySquaredDescent : public testing::TestWithParam<LossCase> {};

TEST_P(EverySquaredDescent, GradientsAreThoseOfTheLoss) {
  TinyData data(14, 11, 0.4, 6);
  const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
  Matrix P = data.factors(14, 3, 0.5);
  Matrix Q = data.factors(11, 3, 0.5);
  std::vector<Matrix> seen;
  seen.reserve(2);
  const MakeRule spy = [&seen](const StepShape& shape) {
    return std::make_unique<Spy>(shape, seen);
  };
  MovingSides sides{{P, {}, spy, {}}, {Q, {}, spy, {}}};
  const Problem problem{form, data.by_user, data.by_item};
  const auto epochs = squared_epochs(problem, sides);
  const auto loss = [&] { return dense_loss(form, data.by_user, P, Q); };
  EXPECT_NEAR(epochs->run(1), loss(), 1e-4 * (1.0 + std::abs(loss())));
  double largest = 1.0;
  for (const float value : seen[0].values()) largest = std::max(largest, std::abs(double{value}));
  for (const float value : seen[1].values()) largest = std::max(largest, std::abs(double{value}));
  for (Offset x = 0; x < 14; ++x) {
    for (Offset k = 0; k < 3; ++k) {
      EXPECT_NEAR(slope_along(P(x, k), loss), seen[0](x, k), 1e-4 * largest);
    }
  }
  for (Offset y = 0; y < 11; ++y) {
    for (Offset k = 0; k < 3; ++k) {
      EXPECT_NEAR(slope_along(Q(y, k), loss), seen[1](y, k), 1e-4 * largest);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EverySquaredDescent, testing::ValuesIn(loss_cases()),
                         [](const auto& spec) { return spec.param.name(); });

}  // namespace
}  // namespace sqmax
