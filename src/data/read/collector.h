// Collector: blocks of records, in order, to Interactions and the report.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "sqmax/data/read.h"

#include "data/column_builders.h"
#include "data/read/id_collector.h"
#include "data/read/record_block.h"

namespace sqmax {

/// What a format knows of an input before its rows come.
struct InputFacts {
  std::string file;
  std::string format;
  ReadColumns columns = {};
  std::string delimiter = {};
  bool header = false;
  bool has_time = false;
  bool has_split = false;
  Offset lines_before = 0;  ///< lines that were read to know this
};

class Collector {
 public:
  /// `stored_bytes` of all inputs together; 0: unknown.
  Collector(const ReadOptions& options, const OnProgress& on_progress, Offset stored_bytes,
            const Workspace& workspace);

  /// The part of all rows that follow, unless their input has a split column.
  void set_part(Part part) { part_ = part; }
  void skip_empty_input(const std::string& file);
  void begin(const InputFacts& facts);
  /// Lines, bytes and bad lines of a block, without its records.
  void count(const RecordBlock& block);
  /// count, then the records.
  void merge(const RecordBlock& block);
  void end(Offset stored_bytes);
  void find(std::string kind, std::string sentence);

  /// Throws Errc::BadInput if there is no interaction at all.
  ReadResult finish();

 private:
  void align_columns(const InputFacts& facts);
  void reserve_for(std::size_t added);
  void add_summary_findings();
  void add_rating_finding();
  [[noreturn]] void fail_for_nothing_read() const;

  const ReadOptions& options_;
  const OnProgress& on_progress_;
  Offset stored_bytes_;
  Offset stored_bytes_before_ = 0;  // of inputs that are done
  Offset stored_bytes_taken_ = 0;
  std::string file_;
  Offset line_ = 0;
  std::optional<Part> part_;
  bool ignores_times_ = false;
  std::array<Offset, kDropCount> dropped_ = {};
  RatingRange ratings_;
  std::string rating_column_;  // of the first input that has one
  Offset fractional_times_ = 0;
  Offset other_delimiter_lines_ = 0;
  Workspace workspace_;
  InteractionColumns rows_;  // with numbers of ids, which are not yet positions
  IdCollector user_ids_;
  IdCollector item_ids_;
  ReadReport report_;
};

}  // namespace sqmax
