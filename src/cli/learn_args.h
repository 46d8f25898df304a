// LearnArgs: what commands that train take: the loss and its options, rank, solver, budget.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sqmax/rank/metric.h"
#include "sqmax/train/tune.h"

#include "cli/arguments.h"

namespace sqmax::cli {

struct LearnArgs {
  std::string loss;  ///< empty: rgp
  Settings options;
  std::int64_t rank = 0;  ///< 0: searched from kUsualRank on, or the smaller side of the data
  std::string solver = "auto";
  std::optional<std::int64_t> iterations;
  std::optional<std::int64_t> patience;
  std::optional<std::int64_t> cg_steps;
  std::optional<std::int64_t> block;
  std::int64_t seed = 0;
  std::string search;  ///< empty: as TuneOptions has it
  std::string budget = "24trials";
  std::string metrics = "ndcg@10,recall@10,map@10,mrr@10";

  /// Without --loss, for commands that train several.
  void describe_shared(ArgumentParser& parser);
  void describe(ArgumentParser& parser);

  /// Everything but the rank, which needs the data: a mistake is found before they are read.
  TuneOptions tune_options() const;
  /// What needs the data: the rank to begin with, and how far it may go.
  void set_rank(TuneOptions& tune, const Dataset& dataset) const;

  /// What is not given is as `model` had it. Throws Errc::BadOption if another rank was given.
  void go_on_from(const Model& model);
};

}  // namespace sqmax::cli
