// Every squared loss by every solver on data and options at the edge: what comes out is finite and,
// given Q, as good as the dense solution in double; or it is one sentence. Never a silent nothing.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"

#include "tests/support/dense_step.h"
#include "tests/support/edge_data.h"
#include "tests/support/error_of.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

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

double sum_of(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
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

  // With other settings the form may be none of those that the solver is for.
  static bool is_for(const QuadraticForm& form, const Csr& by_user) {
    const Csr by_item = transpose(by_user);
    const auto& solver = *std::ranges::find(solvers(), GetParam().solver, &SolverSpec::name);
    return can_minimise(solver, {form, by_user, by_item});
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

// A solver that stays at nothing finds no number that is wrong.
void expect_something_won(const QuadraticForm& form, CsrView by_user, const Solution& found) {
  const Matrix no_users(by_user.rows, found.Q.cols());
  const Matrix best = dense_half_step(form.users, form.items, form.target, by_user, found.Q);
  const double nothing = dense_loss(form, by_user, no_users, found.Q);
  const double want = dense_loss(form, by_user, best, found.Q);
  const double value = dense_loss(form, by_user, found.P, found.Q);
  EXPECT_LE(value - nothing, 0.1 * (want - nothing) + 1e-6) << want << " was to be won";
}

TEST_P(EdgeRun, OnAnyShapeAndRank) {
  for (const EdgeData& data : edge_data()) {
    const CsrView by_user = data.by_user;
    for (const Index rank : {Index{1}, std::min(by_user.rows, by_user.cols)}) {
      SCOPED_TRACE(data.name + ", rank " + std::to_string(rank));
      const QuadraticForm form = GetParam().form(by_user);
      const Outcome outcome = run(form, data.by_user, rank);
      expect_sound(form, data.by_user, outcome);
      EXPECT_EQ(outcome.sentence, "");
    }
  }
}

// From end to end of what an option may be, and past it. Within, nothing is refused, but for a
// ridge that is no normal number of single precision: what is divided by it may pass 10³⁸.
TEST_P(EdgeRun, WithAnyRidgeAndConfidence) {
  for (const EdgeData& data : edge_data()) {
    for (const OptionSpec& option : find_loss(GetParam().loss.loss).options) {
      if (option.name != "lambda" && option.name != "alpha" && option.name != "beta") continue;
      for (const double value : {0.0, 1e-38, 1e-30, 1e-12, 1e-6, 1.0, 1e3, 1e6, 1e9}) {
        if (value > option.high) continue;
        SCOPED_TRACE(data.name + ", --" + option.name + " " + std::to_string(std::log10(value)));
        LossCase loss = GetParam().loss;
        loss.settings[option.name] = value;
        // all of the diagonal taken away is no loss any more, and said to be none
        if (option.name == "beta" && value == 1.0 && loss.settings.contains("interaction"))
          continue;
        const QuadraticForm form = spell_out(loss.law(data.by_user), data.by_user);
        if (!is_for(form, data.by_user)) continue;
        const Outcome outcome = run(form, data.by_user, std::min<Index>(3, data.full_rank()));
        expect_sound(form, data.by_user, outcome);
        const bool may_pass = value == 1e-38 && option.name == "lambda";
        const bool passes = outcome.sentence.find("pass 10^38") != std::string::npos;
        EXPECT_TRUE(outcome.sentence.empty() || (may_pass && passes)) << outcome.sentence;
      }
    }
  }
}

// As many numbers as there are interactions, and nothing that says which of all perfect vectors;
// nor, without weights of other pairs, a system that is not singular.
TEST_P(EdgeRun, WithoutARidgeAtFullRank) {
  const auto& options = find_loss(GetParam().loss.loss).options;
  const bool has_alpha = std::ranges::find(options, "alpha", &OptionSpec::name) != options.end();
  for (const EdgeData& data : edge_data()) {
    for (const bool without_alpha : {false, true}) {
      if (without_alpha && !has_alpha) continue;
      SCOPED_TRACE(data.name + (without_alpha ? ", --alpha 0" : ""));
      LossCase loss = GetParam().loss;
      loss.settings["lambda"] = 0.0;
      if (without_alpha) loss.settings["alpha"] = 0.0;
      const QuadraticForm form = spell_out(loss.law(data.by_user), data.by_user);
      if (!is_for(form, data.by_user)) continue;
      const Outcome outcome = run(form, data.by_user, data.full_rank());
      EXPECT_EQ(outcome.sentence, "");
      expect_sound(form, data.by_user, outcome);
      if (outcome.sentence.empty()) expect_something_won(form, data.by_user, outcome.solution);
    }
  }
}

TEST_P(EdgeRun, OptionsPastTheirEndAreRefusedByName) {
  const TinyData data(9, 7, 0.4, 5);
  for (const OptionSpec& option : find_loss(GetParam().loss.loss).options) {
    if (option.name != "lambda" && option.name != "alpha" && option.name != "beta") continue;
    for (const double value : {-1.0, 1.01 * option.high, 1e30, 1e200}) {
      LossCase loss = GetParam().loss;
      loss.settings[option.name] = value;
      const std::string sentence = error_of([&] { (void)loss.law(data.by_user); });
      EXPECT_NE(sentence.find("--" + option.name + " must be between"), std::string::npos)
          << sentence;
    }
  }
}

// G of vectors of 10³⁰ is beyond single precision.
TEST_P(EdgeRun, StartsWhoseSumsPassSinglePrecisionAreRefused) {
  if (GetParam().solver == "exact") GTEST_SKIP() << "it starts from nothing";
  TinyData data(16, 12, 0.4, 3);
  const QuadraticForm form = GetParam().form(data.by_user);
  const auto sentence_of = [&](double size) {
    const Matrix P = data.factors(16, 3, size);
    const Matrix Q = data.factors(12, 3, size);
    const SolveOptions options{
        .rank = 3, .iterations = 2, .start_users = P.view(), .start_items = Q.view()};
    return error_of([&] { GetParam().run({form, data.by_user, data.by_item}, options); });
  };
  EXPECT_NE(sentence_of(1e30).find("sums of the loss pass 10^38"), std::string::npos);
  EXPECT_EQ(sentence_of(1.0), "");
}

// Strong settings that single precision holds well: none of them may be refused, by nobody.
TEST_P(EdgeRun, StrongSettingsAreNotRefused) {
  const std::vector<std::pair<std::string, double>> strong = {
      {"lambda", 1e-8}, {"lambda", 1e-4}, {"lambda", 1e4}, {"lambda", 1e8},
      {"alpha", 1e-4},  {"alpha", 1e2},   {"alpha", 1e4},  {"beta", 1e-4}};
  const auto& known = find_loss(GetParam().loss.loss).options;
  const TinyData data(16, 12, 0.4, 3);
  for (const auto& [option, value] : strong) {
    if (std::ranges::find(known, option, &OptionSpec::name) == known.end()) continue;
    SCOPED_TRACE("--" + option + " " + std::to_string(value));
    LossCase loss = GetParam().loss;
    loss.settings[option] = value;
    const QuadraticForm form = spell_out(loss.law(data.by_user), data.by_user);
    if (!is_for(form, data.by_user)) continue;
    const Outcome outcome = run(form, data.by_user, 3);
    EXPECT_EQ(outcome.sentence, "");
    expect_sound(form, data.by_user, outcome);
  }
}

// Steps from where a row is end where als ends, if there are enough of them.
TEST_P(EdgeRun, StepsThatAreNotExactEndWhereTheUsersHaveLittleToWin) {
  if (GetParam().solver != "cg" && GetParam().solver != "subspace") GTEST_SKIP();
  const TinyData data(16, 12, 0.4, 3);
  const QuadraticForm form = GetParam().form(data.by_user);
  const Problem problem{form, data.by_user, data.by_item};
  const SolveOptions options{.rank = 3, .iterations = 100, .tolerance = 1e-5};
  const Solution found = GetParam().run(problem, options);
  const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, found.Q);
  const Matrix no_users(16, 3);
  const double nothing = dense_loss(form, data.by_user, no_users, found.Q);
  const double want = dense_loss(form, data.by_user, best, found.Q);
  ASSERT_LT(want, nothing);
  // a sweep leaves what its last change of the items was: about the tolerance, here a hundredth
  EXPECT_LE(dense_loss(form, data.by_user, found.P, found.Q), want + 1e-2 * (nothing - want));
}

// Row after row, since the heaviest is all of a sum: (x − x*)ᵀA(x − x*) is what x has left to win.
void expect_rows_right(const QuadraticForm& form, CsrView by_user, const Solution& found) {
  const SideTerms& users = form.users;
  const Matrix best = dense_half_step(users, form.items, form.target, by_user, found.Q);
  for (Index r = 0; r < users.size(); ++r) {
    const DenseSystem own =
        dense_system(users, form.items, form.target, by_user.row(r), at(r), found.Q);
    double lost = 0.0;
    double won = 0.0;
    for (Offset i = 0; i < best.cols(); ++i) {
      for (Offset j = 0; j < best.cols(); ++j) {
        const double a = own.A[at(i)][at(j)];
        lost += a * (double{found.P(r, i)} - best(r, i)) * (double{found.P(r, j)} - best(r, j));
        won += a * best(r, i) * best(r, j);
      }
    }
    EXPECT_LE(lost, 1e-2 * won) << "user " << r;
  }
}

// Every row's share of the loss times its own factor: given Q, the best P is the same.
TEST_P(EdgeRun, WithWeightsOverThirtyOrdersOfMagnitude) {
  TinyData data(16, 12, 0.4, 3);
  for (const double orders : {6.0, 15.0}) {
    SCOPED_TRACE(orders);
    QuadraticForm form = GetParam().form(data.by_user);
    const double users_weight = sum_of(form.users.weight);
    const double items_weight = sum_of(form.items.weight);
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
    // θ = 1 / Σ v would take all curvature from a common shift, and only the pulls of the loss's
    // own weights take none: with others, rounding would decide how low the loss gets. With half
    // of it the shift is curved. `exact` wants pulls that cancel.
    form.users.interaction *= 0.5 * items_weight / sum_of(form.items.weight);
    form.items.interaction *= 0.5 * users_weight / sum_of(form.users.weight);
    const bool interacts = form.users.interaction != 0.0 || form.items.interaction != 0.0;
    if (interacts && GetParam().solver == "exact") {
      EXPECT_FALSE(is_for(form, data.by_user));
      continue;
    }
    const Outcome outcome = run(form, data.by_user, 3);
    expect_sound(form, data.by_user, outcome);
    if (outcome.sentence.empty() && is_exact_in_users()) {
      expect_rows_right(form, data.by_user, outcome.solution);
    }
    if (orders < 10.0) {
      EXPECT_EQ(outcome.sentence, "") << "twelve orders of magnitude are not too many";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EdgeRun, testing::ValuesIn(squared_cases()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace sqmax
