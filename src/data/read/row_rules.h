// RowRules: what a row must satisfy, whatever the format it comes from.
#pragma once

#include <optional>
#include <string_view>

#include "data/read/columns.h"
#include "data/read/record_block.h"

namespace sqmax {

/// The cells of one row; optional ones are empty if the input lacks them.
struct Row {
  std::string_view user;
  std::string_view item;
  std::string_view rating;
  std::string_view time;
  std::string_view split;
};

struct RowRules {
  bool has_rating = false;
  bool has_time = false;
  bool has_split = false;
  std::optional<double> min_rating;

  /// Adds the row to the block, or counts it there as bad or dropped.
  void accept(const Row& row, RecordBlock& block) const;
};

/// The rules of an input with these columns. Throws Errc::BadOption if a smallest rating is wanted
/// and there is no rating.
RowRules row_rules(const ColumnPlan& plan, const ReadOptions& options, const std::string& file);

}  // namespace sqmax
