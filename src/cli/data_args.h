// DataArgs: how commands take interactions: a prepared dataset, or raw files and how to read them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/data/prepare.h"
#include "sqmax/data/read.h"

#include "cli/arguments.h"
#include "cli/memory_estimate.h"
#include "cli/session.h"

namespace sqmax::cli {

struct DataArgs {
  ReadOptions read;
  std::string split;  ///< empty: given if there is a given split, else ratio
  std::string ratio = "0.8,0.1,0.1";
  std::string valid_file;
  std::string test_file;
  std::int64_t kcore = 1;
  std::int64_t min_user = 1;
  std::int64_t min_item = 1;

  void describe(ArgumentParser& parser);
  bool operator==(const DataArgs&) const = default;
};

struct Prepared {
  Dataset dataset;
  std::optional<ReadReport> report;  ///< absent: it was a prepared dataset
  std::vector<Finding> findings;
  MemoryEstimate memory = {};  ///< of reading, told before it began
};

/// Reads raw files, filters and splits them, on disk if the workspace is too small. `table`: a file
/// that keeps what was read, for a run that goes on; empty: none does.
Prepared prepare(const std::vector<std::string>& inputs, const DataArgs& args, std::uint64_t seed,
                 Session& session, const Workspace& workspace, const std::string& table = "");

/// One input as a dataset if it is one, else all prepared on the way, within the workspace. Throws
/// Errc::BadOption if `args` ask for something that a prepared dataset is past.
Prepared load_or_prepare(const std::vector<std::string>& inputs, const DataArgs& args,
                         std::uint64_t seed, Session& session, const Workspace& workspace,
                         const std::string& table = "");

}  // namespace sqmax::cli
