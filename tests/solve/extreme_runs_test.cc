// Every squared loss by every solver on data and options at the edge: what comes out is finite and,
// given Q, as good as the dense solution in double; or it is one sentence. Never a silent nothing.
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"

#include "tests/support/dense_step.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

struct EdgeData {
  std::string name;
  Csr by_user;
};

std::vector<std::vector<Index>> all_ones(Index users, Index items) {
  std::vector<std::vector<Index>> rows(at(users));
  for (auto& row : rows) {
    for (Index y = 0; y < items; ++y) row.push_back(y);
  }
  return rows;
}

std::vector<EdgeData> edge_data() {
  const TinyData tiny(9, 7, 0.4, 5);
  std::vector<std::vector<Index>> everybody(at(9));
  std::vector<std::vector<Index>> twins(at(8));
  for (Index x = 0; x < 9; ++x) {
    everybody[at(x)] = {0};
    if (x % 2 == 1) everybody[at(x)].push_back(1 + x / 2);
  }
  auto everything = everybody;
  everything[3] = {0, 1, 2, 3, 4, 5, 6};
  for (Index x = 0; x < 8; ++x)
    twins[at(x)] = x < 6 ? std::vector<Index>{1, 2} : std::vector<Index>{0};
  return {{"one user", csr_of(6, {{0, 2, 3}})},
          {"one item", csr_of(1, {{0}, {}, {0}, {0}})},
          {"one pair", csr_of(1, {{0}})},
          {"all ones", csr_of(5, all_ones(7, 5))},
          {"an item that everybody has", csr_of(7, everybody)},
          {"a user with everything", csr_of(7, everything)},
          {"users that are alike", csr_of(5, twins)},
          {"ordinary", tiny.by_user}};
}

// Σ ρ_x ρ_y over interactions: what a loss is counted in.
double scale_of(const QuadraticForm& form, CsrView by_user) {
  double sum = 0.0;
  for (Index x = 0; x < by_user.rows; ++x) {
    for (const Index y : by_user.row(x)) {
      sum += std::abs(double{form.users.pull[at(x)]} * form.items.pull[at(y)]);
    }
  }
  return sum;
}

/// What a run came to.
struct Outcome {
  std::string sentence;
  Solution solution;
};

class EdgeRun : public testing::TestWithParam<SquaredCase> {
 protected:
  static bool is_exact_in_users() {
    const std::string& solver = GetParam().solver;
    return solver == "exact" || solver == "spectral" || solver == "als" || solver == "newton-cg";
  }

  static Outcome run(const QuadraticForm& form, const Csr& by_user, Index rank) {
    const Csr by_item = transpose(by_user);
    const Problem problem{form, by_user, by_item};
    try {
      const auto& solver = find_solver(GetParam().solver, problem);
      return {"", solver.run(problem, {.rank = rank, .iterations = 5, .tolerance = 1e-5}, {})};
    } catch (const Error& error) {
      return {error.what(), {}};
    }
  }

  static void expect_sound(const QuadraticForm& form, const Csr& by_user, const Outcome& outcome,
                           double lost = 2e-2) {
    if (!outcome.sentence.empty()) return;
    const Solution& found = outcome.solution;
    for (const float value : found.P.values()) ASSERT_TRUE(std::isfinite(value));
    for (const float value : found.Q.values()) ASSERT_TRUE(std::isfinite(value));
    const double value = dense_loss(form, by_user, found.P, found.Q);
    ASSERT_TRUE(std::isfinite(value));
    const Matrix no_users(by_user.rows, found.Q.cols());
    const double nothing = dense_loss(form, by_user, no_users, found.Q);
    const double rounding = 1e-4 * scale_of(form, by_user);
    EXPECT_LE(value, nothing + 1e-3 * (std::abs(nothing) + std::abs(value)) + rounding);
    if (!is_exact_in_users()) return;
    const Matrix best = dense_half_step(form.users, form.items, form.target, by_user, found.Q);
    const double want = dense_loss(form, by_user, best, found.Q);
    // how much there is to win for the users; what is won must be nearly all of it
    EXPECT_LE(value - want, lost * (nothing - want) + 1e-6 * std::abs(nothing) + rounding)
        << "of " << nothing << " to " << want;
  }
};

TEST_P(EdgeRun, OnAnyShapeAndRank) {
  for (const EdgeData& data : edge_data()) {
    const CsrView by_user = data.by_user;
    for (const Index rank : {Index{1}, std::min(by_user.rows, by_user.cols)}) {
      SCOPED_TRACE(data.name + ", rank " + std::to_string(rank));
      const QuadraticForm form = GetParam().form(by_user);
      const Outcome outcome = run(form, data.by_user, rank);
      expect_sound(form, data.by_user, outcome);
      EXPECT_TRUE(outcome.sentence.empty() ||
                  outcome.sentence.find("cannot minimise") != std::string::npos)
          << outcome.sentence;
    }
  }
}

TEST_P(EdgeRun, WithAnyRidgeAndConfidence) {
  for (const EdgeData& data : edge_data()) {
    for (const std::string option : {"lambda", "alpha", "beta"}) {
      for (const double value : {0.0, 1e-38, 1e-30, 1e-12, 1e12, 1e30, 1e38, 1e200}) {
        LossCase loss = GetParam().loss;
        const auto& known = find_loss(loss.loss).options;
        if (std::ranges::find(known, option, &OptionSpec::name) == known.end()) continue;
        loss.settings[option] = value;
        SCOPED_TRACE(data.name + ", --" + option + " " + std::to_string(std::log10(value)));
        try {
          const QuadraticForm form = spell_out(loss.law(data.by_user), data.by_user);
          const Index rank = std::min<Index>(3, std::min(data.by_user.rows, data.by_user.cols));
          expect_sound(form, data.by_user, run(form, data.by_user, rank));
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()), "");
        }
      }
    }
  }
}

// Every row's share of the loss times its own factor: given Q, the best P is the same.
TEST_P(EdgeRun, WithWeightsOverThirtyOrdersOfMagnitude) {
  TinyData data(16, 12, 0.4, 3);
  for (const double orders : {6.0, 15.0}) {
    SCOPED_TRACE(orders);
    QuadraticForm form = GetParam().form(data.by_user);
    // Interactions go with weights that sum to one; with others the loss has no least value.
    if (form.users.interaction != 0.0 || form.items.interaction != 0.0) GTEST_SKIP();
    for (auto* side : {&form.users, &form.items}) {
      for (std::size_t r = 0; r < side->weight.size(); ++r) {
        const auto factor =
            static_cast<float>(std::pow(10.0, orders * (2.0 * data.random.uniform() - 1.0)));
        for (auto* terms :
             {&side->weight, &side->lean, &side->curvature, &side->pull, &side->ridge}) {
          (*terms)[r] *= factor;
        }
      }
    }
    expect_sound(form, data.by_user, run(form, data.by_user, 3));
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EdgeRun, testing::ValuesIn(squared_cases()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace sqmax
