// Runs that are killed and go on: to the same bytes, for every loss and every solver.
#include "sqmax/train/checkpoint.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sqmax/core/error.h"
#include "sqmax/loss/loss_spec.h"

#include "core/folder_lock.h"
#include "tests/support/error_of.h"
#include "tests/support/split_data.h"
#include "tests/support/temporary_folder.h"

namespace sqmax::checkpoint_test {
namespace {

using testing::HasSubstr;

/// The end of a process, as far as a test can have it.
struct Killed {};

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

CheckpointOptions in(const TemporaryFolder& folder, bool resume) {
  return {.folder = folder.path() / "kept", .resume = resume, .every = {.seconds = 0.0}};
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
      Checkpoint killed(in(folder, false));
      last = fit_and_die(data, options, killed, lives, whole);
    }
    EXPECT_TRUE(last || lives > 1 || whole.solver == "exact") << "no state was kept";
    if (!last) continue;
    Checkpoint checkpoint(in(folder, true));
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
    Checkpoint checkpoint(in(folder, true));
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
  Checkpoint checkpoint(in(folder, true));
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
TEST(Checkpoint, ASearchGoesOnFromWithinItsFits) {
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
    Checkpoint checkpoint(in(folder, true));
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

TEST(Checkpoint, GoesOnFromItsOwnRunOnly) {
  const TemporaryFolder folder;
  CheckpointOptions options = in(folder, false);
  options.identity = R"({"loss": "rgp", "seed": 1})";
  { const Checkpoint first(options); }
  EXPECT_THAT(error_of([&] { Checkpoint{options}; }), HasSubstr("--resume"));
  options.resume = true;
  { const Checkpoint again(options); }
  options.identity = R"({"loss": "rgp", "seed": 2})";
  EXPECT_THAT(error_of([&] { Checkpoint{options}; }), HasSubstr("its seed was 1 and is now 2"));
}

// A run that is killed while it removes its files may leave a state that is none of the next run's,
// and a mark that all this was its own.
TEST(Checkpoint, WhatARunThatIsOverLeftIsNotTaken) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "kept");
  const auto there = [&](const char* name) {
    return std::filesystem::exists(folder.path() / "kept" / name);
  };
  const auto ours = {"fit-1.safetensors",
                     "best-3.safetensors",
                     "best-3.safetensors.tmp.12.1",
                     "run.json.tmp.Xy7",
                     "table.safetensors.tmp.12.0000000003",
                     "run-over.json"};
  const auto theirs = {"notes.txt",         "best-rgp.safetensors",   "fit-.safetensors",
                       "fit-1.npz",         "best-3.safetensors.old", "run.json.tmp.",
                       "run.json.backup",   "table.safetensors",      "fit-1.safetensors.tmp.a b",
                       "notes.txt.tmp.1.2", "fit-1.npz.tmp.1.2"};
  for (const auto& names : {std::vector<const char*>(ours), std::vector<const char*>(theirs)}) {
    for (const char* name : names) std::ofstream(folder.path() / "kept" / name) << "something";
  }
  Checkpoint checkpoint(in(folder, true));
  for (const char* name : ours) EXPECT_FALSE(there(name)) << name;
  EXPECT_FALSE(checkpoint.keeper(1)->restore([](StateVisitor&) { FAIL(); }));
  checkpoint.remove();
  for (const char* name : theirs) EXPECT_TRUE(there(name)) << name;
}

// At any moment: without run.json, the mark says whose the rest is.
TEST(Checkpoint, AnEndThatIsKilledGoesOn) {
  const TemporaryFolder folder;
  const auto kept = folder.path() / "kept";
  { const Checkpoint first(in(folder, false)); }
  std::filesystem::rename(kept / "run.json", kept / "run-over.json");
  std::ofstream(kept / "fit-1.safetensors") << "a state";
  Checkpoint next(in(folder, false));
  EXPECT_FALSE(std::filesystem::exists(kept / "run-over.json"));
  EXPECT_FALSE(std::filesystem::exists(kept / "fit-1.safetensors"));
  next.remove();
  EXPECT_FALSE(std::filesystem::exists(kept));
}

// Models of somebody else's, called as ours are.
TEST(Checkpoint, WhatNoRunLeftIsNeitherRemovedNorWrittenTo) {
  for (const char* name : {"best-1.safetensors", "fit-12.safetensors"}) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "kept");
    const auto path = folder.file(std::string("kept/") + name, "mine");
    for (const bool resume : {false, true}) {
      EXPECT_THAT(error_of([&] { Checkpoint{in(folder, resume)}; }),
                  HasSubstr(path.string() + " is not of a checkpoint"));
      EXPECT_EQ(contents(path), "mine");
      EXPECT_FALSE(std::filesystem::exists(folder.path() / "kept" / "run.json"));
    }
  }
}

TEST(Checkpoint, AFolderThatIsALinkStays) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "elsewhere");
  std::filesystem::create_directory_symlink("elsewhere", folder.path() / "kept");
  Checkpoint(in(folder, false)).remove();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "kept"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "elsewhere"));
}

// The next one may ask for something else.
TEST(Checkpoint, ARunThatLearnsNothingLeavesNothing) {
  const TemporaryFolder folder;
  const auto kept = folder.path() / "kept";
  const auto end_by_exception = [&](const KeptTrial* trial, bool has_parts) {
    CheckpointOptions options = in(folder, true);
    options.has_parts = has_parts;
    Checkpoint checkpoint(options);
    if (trial != nullptr) checkpoint.keep(*trial, nullptr);
    throw Killed();
  };
  EXPECT_THROW(end_by_exception(nullptr, false), Killed);
  EXPECT_FALSE(std::filesystem::exists(kept));
  EXPECT_THROW(end_by_exception(nullptr, true), Killed);
  EXPECT_TRUE(std::filesystem::exists(kept / "run.json"));
  const KeptTrial trial{.rank = 2,
                        .trial = {.rank = 2, .solver = "als", .valid = {{"ndcg@5", 0.5}}}};
  EXPECT_THROW(end_by_exception(&trial, false), Killed);
  EXPECT_EQ(Checkpoint(in(folder, true)).trials().size(), 1u);
}

TEST(Checkpoint, WhatWasHalfWrittenGoesWhenTheRunGoesOn) {
  const TemporaryFolder folder;
  { const Checkpoint killed(in(folder, false)); }
  const auto kept = folder.path() / "kept";
  const auto half = {"run.json.tmp.12.1", "fit-1.safetensors.tmp.12.2", "best-1.safetensors.tmp.q3",
                     "table.safetensors.tmp.12.3"};
  const auto whole = {"fit-1.safetensors", "best-1.safetensors", "table.safetensors", "run.json"};
  for (const char* name : half) std::ofstream(kept / name) << "something";
  for (const char* name : whole) std::ofstream(kept / name, std::ios::app) << "\n";
  const Checkpoint again(in(folder, true));
  for (const char* name : half) EXPECT_FALSE(std::filesystem::exists(kept / name)) << name;
  for (const char* name : whole) EXPECT_TRUE(std::filesystem::exists(kept / name)) << name;
}

TEST(Checkpoint, IsForOneProcessAtATime) {
  const TemporaryFolder folder;
  const Checkpoint first(in(folder, false));
  EXPECT_THAT(error_of([&] { Checkpoint{in(folder, true)}; }), HasSubstr("in use"));
}

TEST(Checkpoint, TakesTheLockOfItsCaller) {
  const TemporaryFolder folder;
  CheckpointOptions options = in(folder, false);
  const FolderLock lock(options.folder);
  EXPECT_THAT(error_of([&] { Checkpoint{options}; }), HasSubstr("in use"));
  options.is_locked = true;
  const Checkpoint checkpoint(options);
  EXPECT_TRUE(std::filesystem::exists(options.folder / "run.json"));
}

TEST(Checkpoint, TellsWhatItsRunFoundWhenItBegan) {
  const TemporaryFolder folder;
  CheckpointOptions options = in(folder, false);
  EXPECT_FALSE(kept_circumstances(options.folder));
  options.begun = {.memory = std::int64_t{5} << 33, .isa = "AVX2"};
  { Checkpoint(options).keep({.rank = 1}, nullptr); }
  const auto kept = kept_circumstances(options.folder);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->memory, options.begun.memory);
  EXPECT_EQ(kept->isa, options.begun.isa);
}

// Without them it might go on to another result.
TEST(Checkpoint, ARunThatDoesNotSayWhatItFoundIsDamaged) {
  const TemporaryFolder folder;
  { const Checkpoint first(in(folder, false)); }
  const auto path = folder.path() / "kept" / "run.json";
  for (const char* begun :
       {R"("began": {"memory": 1, "isa": "AVX2"})", R"("begun": [])", R"("begun": {"memory": 1})",
        R"("begun": {"memory": "1", "isa": "AVX2"})", R"("begun": {"memory": 1.5, "isa": "AVX2"})",
        R"("begun": {"memory": -5, "isa": "AVX2"})", R"("begun": {"memory": 1, "isa": 5})"}) {
    std::ofstream(path) << R"({"identity": {}, )" << begun << R"(, "trials": []})";
    EXPECT_FALSE(kept_circumstances(path.parent_path())) << begun;
    EXPECT_THAT(error_of([&] { Checkpoint{in(folder, true)}; }),
                HasSubstr(path.string() + " is damaged"))
        << begun;
  }
  for (const char* text : {"", "[]"}) {
    std::ofstream(path) << text;
    EXPECT_FALSE(kept_circumstances(path.parent_path())) << text;
  }
}

// Neither waited for nor taken for a bug.
TEST(Checkpoint, ARunThatIsNoFileIsASentence) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "kept" / "run.json";
  const auto expect_sentence = [&] {
    EXPECT_THAT(error_of([&] { kept_circumstances(path.parent_path()); }),
                HasSubstr(path.string() + " is not a regular file"));
    EXPECT_THAT(error_of([&] { Checkpoint{in(folder, true)}; }),
                HasSubstr(path.string() + " is not a regular file"));
  };
  std::filesystem::create_directories(path);
  expect_sentence();
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_sentence();
}

TEST(Checkpoint, ADamagedOneIsNamed) {
  const TemporaryFolder folder;
  { const Checkpoint first(in(folder, false)); }
  for (
      const char* text :
      {"", "{", "[]", R"({"identity": {}})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": 3})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": {"a": {}}})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": [{"asked": 1}]})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": [{"asked": {}, "rank": 4, "rungs": [0.5],
                               "best": true, "elapsed": 1.0, "curve": [], "trial":
                               {"options": {}, "rank": 4, "solver": "als", "steps": 1, "valid": {},
                                "users": 1, "final": true, "seconds": 1.0}}]})"}) {
    std::ofstream(folder.path() / "kept" / "run.json") << text;
    EXPECT_THAT(error_of([&] { Checkpoint{in(folder, true)}; }), HasSubstr("run.json")) << text;
  }
}

// Printing what was there before recurses, however deep it is.
TEST(Checkpoint, ADeepOneIsNamed) {
  const TemporaryFolder folder;
  { const Checkpoint first(in(folder, false)); }
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  std::ofstream(folder.path() / "kept" / "run.json")
      << R"({"identity": {"seed": )" << deep << R"(}, "trials": []})";
  CheckpointOptions options = in(folder, true);
  options.identity = R"({"seed": 1})";
  EXPECT_THAT(error_of([&] { Checkpoint{options}; }), HasSubstr("damaged"));
}

TEST(Checkpoint, AStateOfAnotherFitIsRefused) {
  const Dataset data = split_data(7);
  const TemporaryFolder folder;
  Checkpoint checkpoint(in(folder, false));
  FitOptions options{.loss = "wrmf", .solver = "als"};
  options.solve = {.rank = 4, .iterations = 2, .tolerance = 0.0};
  const auto keeper = checkpoint.keeper(1);
  options.solve.keeper = keeper.get();
  Fitter(data).fit(options);
  options.solve.rank = 3;
  EXPECT_THAT(error_of([&] { Fitter(data).fit(options); }), HasSubstr("state of another fit"));
}

}  // namespace
}  // namespace sqmax::checkpoint_test
