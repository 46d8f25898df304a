// Runs that are killed and go on: to the same bytes, for every loss and every solver.
#include <algorithm>
#include <cstring>
#include <optional>

#include <gtest/gtest.h>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/checkpoint.h"

#include "tests/support/kept_run.h"
#include "tests/support/split_data.h"

namespace sqmax::killed_runs_test {
namespace {

/// Passes states on and dies after the n-th.
class DyingKeeper final : public StateKeeper {
 public:
  DyingKeeper(StateKeeper& keeper, int lives) : keeper_(keeper), lives_(lives) {}
  bool restore(const ShowState& show) override { return keeper_.restore(show); }
  void offer(int step, const ShowState& show) override {
    keeper_.offer(step, show);
    if (--lives_ == 0) throw Killed();
  }

 private:
  StateKeeper& keeper_;
  int lives_;
};

/// Passes states on and remembers whether one came back.
class HearingKeeper final : public StateKeeper {
 public:
  explicit HearingKeeper(StateKeeper& keeper) : keeper_(keeper) {}
  bool restore(const ShowState& show) override { return restored = keeper_.restore(show); }
  void offer(int step, const ShowState& show) override { keeper_.offer(step, show); }

  bool restored = false;

 private:
  StateKeeper& keeper_;
};

/// Where a fit is, in half-steps: the items' half comes first, and then the users'.
int place_of(const FitEvent& event) {
  return 2 * event.solve.step + (event.solve.half == Half::Users ? 1 : 0);
}

template <class A, class B>
bool same_bytes(const A& a, const B& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * 4) == 0);
}

void expect_same(const FitResult& a, const FitResult& b) {
  EXPECT_TRUE(same_bytes(a.model.P.values, b.model.P.values));
  EXPECT_TRUE(same_bytes(a.model.Q.values, b.model.Q.values));
  EXPECT_TRUE(same_bytes(a.model.user_extra, b.model.user_extra));
  EXPECT_TRUE(same_bytes(a.model.item_extra, b.model.item_extra));
  EXPECT_TRUE(same_bytes(a.model.links.values, b.model.links.values));
  EXPECT_EQ(a.model.options, b.model.options);
  EXPECT_EQ(a.solver, b.solver);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.kept, b.kept);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(std::memcmp(&a.residual, &b.residual, sizeof a.residual), 0);
  EXPECT_EQ(std::memcmp(&a.contraction, &b.contraction, sizeof a.contraction), 0);
  EXPECT_EQ(std::memcmp(&a.condition, &b.condition, sizeof a.condition), 0);
}

struct Case {
  std::string loss;
  std::string solver;
};

FitOptions options_of(const Case& each) {
  FitOptions options{.loss = each.loss, .solver = each.solver};
  options.options = completed("it", find_loss(each.loss).options, {});
  options.solve = {.rank = 4, .iterations = 5, .tolerance = 0.0};
  options.early_stop = EarlyStop{.metric = parse_metrics("ndcg@5").front(), .patience = 3};
  return options;
}

std::vector<Case> cases() {
  const Dataset data = split_data(4);
  const Fitter fitter(data);
  std::vector<Case> all;
  for (const LossSpec& loss : losses()) {
    for (const SolverSpec& solver : solvers()) {
      const Case each{loss.name, solver.name};
      if (loss.has_factors && fitter.can_fit(options_of(each))) all.push_back(each);
    }
  }
  return all;
}

class EveryLossAndSolver : public testing::TestWithParam<Case> {};

/// The place of the last event that was heard; nothing if the fit needed fewer steps.
std::optional<int> fit_and_die(const Dataset& data, FitOptions options, Checkpoint& checkpoint,
                               int lives, const FitResult& whole) {
  const auto keeper = checkpoint.keeper(1);
  DyingKeeper dying(*keeper, lives);
  options.solve.keeper = &dying;
  int last = -1;
  const auto hear = [&](const FitEvent& event) {
    last = place_of(event);
    return Next::Continue;
  };
  try {
    expect_same(Fitter(data).fit(options, hear), whole);
    return {};
  } catch (const Killed&) {
    return last;
  }
}

// One that begins anew would come to the same bytes, so it is also asked where it begins.
void expect_goes_on(const Dataset& data, FitOptions options, Checkpoint& checkpoint, int last,
                    const FitResult& whole) {
  const auto keeper = checkpoint.keeper(1);
  HearingKeeper hearing(*keeper);
  options.solve.keeper = &hearing;
  std::optional<int> first;
  const auto hear = [&](const FitEvent& event) {
    if (!first) first = place_of(event);
    return Next::Continue;
  };
  expect_same(Fitter(data).fit(options, hear), whole);
  EXPECT_TRUE(hearing.restored);
  EXPECT_GT(first.value_or(last + 1), last) << "what was done is done again";
}

TEST_P(EveryLossAndSolver, AFitGoesOnFromAnyStepToTheSameBytes) {
  const Dataset data = split_data(4);
  const FitOptions options = options_of(GetParam());
  const FitResult whole = Fitter(data).fit(options);
  for (int lives = 1; lives <= 5; ++lives) {
    SCOPED_TRACE(lives);
    const TemporaryFolder folder;
    std::optional<int> last;
    {
      Checkpoint killed(kept_in(folder, false));
      last = fit_and_die(data, options, killed, lives, whole);
    }
    EXPECT_TRUE(last || lives > 1 || whole.solver == "exact") << "no state was kept";
    if (!last) continue;
    Checkpoint checkpoint(kept_in(folder, true));
    expect_goes_on(data, options, checkpoint, *last, whole);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLossAndSolver, testing::ValuesIn(cases()),
                         [](const auto& spec) {
                           std::string name = spec.param.loss + "_" + spec.param.solver;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TuneOptions search_of(const std::string& loss) {
  TuneOptions options{.fit = {.loss = loss},
                      .search_rank = true,
                      .budget = {.trials = 6},
                      .metrics = parse_metrics("ndcg@5,recall@5")};
  options.fit.solve = {.rank = 4, .iterations = 3};
  return options;
}

void expect_same(const TuneResult& a, const TuneResult& b) {
  ASSERT_EQ(a.trials.size(), b.trials.size());
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.edges, b.edges);
  for (std::size_t t = 0; t < a.trials.size(); ++t) {
    EXPECT_EQ(a.trials[t].options, b.trials[t].options);
    EXPECT_EQ(a.trials[t].rank, b.trials[t].rank);
    EXPECT_EQ(a.trials[t].steps, b.trials[t].steps);
    EXPECT_EQ(a.trials[t].valid.front().mean, b.trials[t].valid.front().mean);
  }
  expect_same(a.fit, b.fit);
}

class SearchOfEveryLoss : public testing::TestWithParam<std::string> {};

// Killed after every trial in turn, so that each run goes on from all runs before it.
TEST_P(SearchOfEveryLoss, GoesOnFromTrialToTrial) {
  const Dataset data = split_data(5);
  TuneOptions options = search_of(GetParam());
  Fitter unbroken(data);
  CurveRecorder all;
  const TuneResult whole = tune(unbroken, data, options, {}, all.listener());
  const TemporaryFolder folder;
  for (std::size_t run = 0; run < whole.trials.size(); ++run) {
    Checkpoint checkpoint(kept_in(folder, true));
    options.checkpoint = &checkpoint;
    CurveRecorder recorder;
    checkpoint.follow(recorder);
    Fitter fitter(data);
    const auto die = [&](const TrialEvent& event) -> Next {
      EXPECT_EQ(event.number, static_cast<int>(run) + 1) << "what is kept is not made again";
      throw Killed();
    };
    EXPECT_THROW(tune(fitter, data, options, die, recorder.listener()), Killed);
  }
  Checkpoint checkpoint(kept_in(folder, true));
  options.checkpoint = &checkpoint;
  CurveRecorder recorder;
  checkpoint.follow(recorder);
  Fitter fitter(data);
  expect_same(tune(fitter, data, options, {}, recorder.listener()), whole);
  for (int t = 1; t <= static_cast<int>(whole.trials.size()); ++t) {
    ASSERT_EQ(recorder.of_trial(t).size(), all.of_trial(t).size());
    for (std::size_t i = 0; i < all.of_trial(t).size(); ++i) {
      EXPECT_EQ(recorder.of_trial(t)[i].step, all.of_trial(t)[i].step);
      EXPECT_EQ(recorder.of_trial(t)[i].valid, all.of_trial(t)[i].valid);
    }
  }
  checkpoint.remove();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "kept"));
}

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const LossSpec& loss : losses()) names.push_back(loss.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, SearchOfEveryLoss, testing::ValuesIn(loss_names()),
                         [](const auto& spec) {
                           std::string name = spec.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// In the middle of a fit, again and again.
TEST(KilledRuns, ASearchGoesOnFromWithinItsFits) {
  const Dataset data = split_data(6);
  TuneOptions options = search_of("sm");
  options.search_rank = false;
  options.budget.trials = 3;
  Fitter unbroken(data);
  const TuneResult whole = tune(unbroken, data, options);
  const TemporaryFolder folder;
  std::optional<TuneResult> result;
  int runs = 0;
  for (; !result && runs < 100; ++runs) {
    Checkpoint checkpoint(kept_in(folder, true));
    options.checkpoint = &checkpoint;
    Fitter fitter(data);
    int heard = 0;
    const auto die = [&](const FitEvent&) -> Next {
      if (++heard == 2) throw Killed();
      return Next::Continue;
    };
    try {
      result = tune(fitter, data, options, {}, die);
    } catch (const Killed&) {
      // once more
    }
  }
  ASSERT_TRUE(result);
  EXPECT_GT(runs, 3);
  expect_same(*result, whole);
}

}  // namespace
}  // namespace sqmax::killed_runs_test
