// ComparePlan: what `compare` was asked for, with what a preset fills in.     docs/compare.md
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sqmax/train/tune.h"

#include "cli/arguments.h"
#include "cli/checkpoint_args.h"
#include "cli/data_args.h"
#include "cli/learn_args.h"
#include "cli/presets.h"

namespace sqmax::cli {

inline constexpr const char* kMethods = "methods";  ///< the folder of finished ones

struct CompareArgs {
  std::vector<std::string> data_paths;
  std::string losses;
  std::string solvers;
  std::string task = "recommendation";
  std::string preset;
  std::string output;
  std::string best_model;
  std::optional<std::int64_t> memory;
  CheckpointArgs checkpoint;
  LearnArgs learn{.budget = "24trials,3m"};  ///< a slow method may not hold up all others
  DataArgs data;

  void describe(ArgumentParser& parser);
};

struct ComparePlan {
  CompareArgs args;
  TuneOptions tune;
  std::vector<std::string> losses;
  const Preset* preset = nullptr;
  std::map<std::string, TuneOptions> methods;  ///< of every loss, once there are data

  bool has_grids() const { return preset != nullptr && args.learn.search.empty(); }
};

/// Throws Errc::BadOption where options do not go together.
ComparePlan plan_of(const CompareArgs& given);

}  // namespace sqmax::cli
