// Checkpoint: whose folder it is, and what it removes.
#include "sqmax/train/checkpoint.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/folder_lock.h"
#include "tests/support/error_of.h"
#include "tests/support/kept_run.h"

namespace sqmax::checkpoint_test {
namespace {

using testing::HasSubstr;

TEST(Checkpoint, GoesOnFromItsOwnRunOnly) {
  const TemporaryFolder folder;
  CheckpointOptions options = kept_in(folder, false);
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
  Checkpoint checkpoint(kept_in(folder, true));
  for (const char* name : ours) EXPECT_FALSE(there(name)) << name;
  EXPECT_FALSE(checkpoint.keeper(1)->restore([](StateVisitor&) { FAIL(); }));
  checkpoint.remove();
  for (const char* name : theirs) EXPECT_TRUE(there(name)) << name;
}

// At any moment: without run.json, the mark says whose the rest is.
TEST(Checkpoint, AnEndThatIsKilledGoesOn) {
  const TemporaryFolder folder;
  const auto kept = folder.path() / "kept";
  { const Checkpoint first(kept_in(folder, false)); }
  std::filesystem::rename(kept / "run.json", kept / "run-over.json");
  std::ofstream(kept / "fit-1.safetensors") << "a state";
  Checkpoint next(kept_in(folder, false));
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
      EXPECT_THAT(error_of([&] { Checkpoint{kept_in(folder, resume)}; }),
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
  Checkpoint(kept_in(folder, false)).remove();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "kept"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "elsewhere"));
}

// The next one may ask for something else.
TEST(Checkpoint, ARunThatLearnsNothingLeavesNothing) {
  const TemporaryFolder folder;
  const auto kept = folder.path() / "kept";
  const auto end_by_exception = [&](const KeptTrial* trial, bool has_parts) {
    CheckpointOptions options = kept_in(folder, true);
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
  EXPECT_EQ(Checkpoint(kept_in(folder, true)).trials().size(), 1u);
}

TEST(Checkpoint, WhatWasHalfWrittenGoesWhenTheRunGoesOn) {
  const TemporaryFolder folder;
  { const Checkpoint killed(kept_in(folder, false)); }
  const auto kept = folder.path() / "kept";
  const auto half = {"run.json.tmp.12.1", "fit-1.safetensors.tmp.12.2", "best-1.safetensors.tmp.q3",
                     "table.safetensors.tmp.12.3"};
  const auto whole = {"fit-1.safetensors", "best-1.safetensors", "table.safetensors", "run.json"};
  for (const char* name : half) std::ofstream(kept / name) << "something";
  for (const char* name : whole) std::ofstream(kept / name, std::ios::app) << "\n";
  const Checkpoint again(kept_in(folder, true));
  for (const char* name : half) EXPECT_FALSE(std::filesystem::exists(kept / name)) << name;
  for (const char* name : whole) EXPECT_TRUE(std::filesystem::exists(kept / name)) << name;
}

TEST(Checkpoint, IsForOneProcessAtATime) {
  const TemporaryFolder folder;
  const Checkpoint first(kept_in(folder, false));
  EXPECT_THAT(error_of([&] { Checkpoint{kept_in(folder, true)}; }), HasSubstr("in use"));
}

TEST(Checkpoint, TakesTheLockOfItsCaller) {
  const TemporaryFolder folder;
  CheckpointOptions options = kept_in(folder, false);
  const FolderLock lock(options.folder);
  EXPECT_THAT(error_of([&] { Checkpoint{options}; }), HasSubstr("in use"));
  options.is_locked = true;
  const Checkpoint checkpoint(options);
  EXPECT_TRUE(std::filesystem::exists(options.folder / "run.json"));
}

TEST(Checkpoint, TellsWhatItsRunFoundWhenItBegan) {
  const TemporaryFolder folder;
  CheckpointOptions options = kept_in(folder, false);
  EXPECT_FALSE(kept_circumstances(options.folder));
  options.begun = {.memory = std::int64_t{5} << 33, .isa = "AVX2"};
  { Checkpoint(options).keep({.rank = 1}, nullptr); }
  const auto kept = kept_circumstances(options.folder);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->memory, options.begun.memory);
  EXPECT_EQ(kept->isa, options.begun.isa);
}

}  // namespace
}  // namespace sqmax::checkpoint_test
