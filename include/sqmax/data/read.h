// Reading: from files in any known format to Interactions, with a report of what was found.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/core/progress.h"
#include "sqmax/core/workspace.h"
#include "sqmax/data/finding.h"
#include "sqmax/data/interactions.h"

namespace sqmax {

/// Columns are named as in the header, or by their position from 1; an empty name is guessed, and
/// "none" says that a rating, time or split is not there or not wanted.
struct ReadOptions {
  std::string format = "auto";            ///< a name in formats(), or "auto": by the first bytes
  std::string user = {};                  ///< column or key of the left side
  std::string item = {};                  ///< column or key of the right side
  std::string rating = {};                ///< column or key of a number; only with min_rating
  std::string time = {};                  ///< column or key of a number or an ISO date
  std::string split = {};                 ///< column of train, valid, test or 0, 1, 2
  std::string delimiter = {};             ///< between columns; empty: by the first lines
  std::string header = "auto";            ///< "auto", "yes" or "no"
  std::optional<double> min_rating = {};  ///< rows rated lower are dropped and counted
  bool skip_bad_lines = false;            ///< count them; otherwise the first is an error

  bool operator==(const ReadOptions&) const = default;
};

struct BadLine {
  std::string file;
  Offset line = 0;  ///< from 1
  std::string reason;
};

struct DroppedRows {
  std::string reason;
  Offset count = 0;
};

/// Names as in the header, or positions from 1; empty: there is no such column.
struct ReadColumns {
  std::string user = {};
  std::string item = {};
  std::string rating = {};
  std::string time = {};
  std::string split = {};
};

/// What was read, what was not, and why. Format, columns and delimiter are those of the first file.
struct ReadReport {
  std::vector<std::string> files;
  Offset bytes = 0;  ///< after decompression
  Offset lines = 0;
  Offset read = 0;  ///< interactions kept
  Offset below_min_rating = 0;
  std::vector<DroppedRows> dropped;  ///< for other reasons
  Offset bad_lines = 0;
  std::vector<BadLine> first_bad_lines;  ///< at most ten
  std::string format;
  ReadColumns columns;
  std::string delimiter;
  bool header = false;
  std::vector<Finding> findings;
};

struct ReadResult {
  Interactions interactions;
  ReadReport report;
};

/// Throws Errc::BadOption for what no input can be read with. Reading begins with it.
void check_options(const ReadOptions& options);

/// Reads the files one after the other, plain or compressed by gzip or zstd; "-" is the standard
/// input. Positions are given to ids by first appearance, whatever the threads. Throws
/// Errc::BadInput ("FILE:LINE: reason" for a line), NotFound, BadOption or Io. `on_progress` hears
/// of bytes, from one thread at a time; when it says Stop, Errc::Io is thrown. What the workspace
/// cannot hold goes to its folder.
ReadResult read_interactions(const std::vector<std::string>& paths, const ReadOptions& options,
                             const OnProgress& on_progress = {}, const Workspace& workspace = {});

/// Files that are already split; valid and test may be empty.
struct SplitFiles {
  std::vector<std::string> train;
  std::vector<std::string> valid;
  std::vector<std::string> test;
};

/// As read_interactions; the part of a row is that of its file, and all parts share the ids.
ReadResult read_split_files(const SplitFiles& files, const ReadOptions& options,
                            const OnProgress& on_progress = {}, const Workspace& workspace = {});

struct FormatSpec {
  std::string name;
  std::string description;  ///< one line
  std::string example;      ///< what such a file looks like
};

/// Every format that can be read.
std::span<const FormatSpec> formats();

}  // namespace sqmax
