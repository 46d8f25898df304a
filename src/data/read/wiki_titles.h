// WikiTitles: the pages of a wiki's main namespace, and the parsers of the tables that name them.
#pragma once

#include <cstdint>
#include <memory>

#include <absl/container/flat_hash_map.h>

#include "sqmax/data/id_table.h"

#include "data/read/record_block.h"
#include "data/read/sql_dump.h"

namespace sqmax {

struct WikiTitles {
  static constexpr Index kMissing = -1;  ///< a target that is no page

  IdMap titles;
  absl::flat_hash_map<std::int64_t, Index> pages;    ///< page_id → title
  absl::flat_hash_map<std::int64_t, Index> targets;  ///< lt_id → title; main namespace only

  /// Take blocks of the pairs (number, title) that numbered_title_parser makes.
  void add_pages(const RecordBlock& block);
  void add_targets(const RecordBlock& block);
};

/// Pairs (number, title) of the rows of `page` or `linktarget` in the main namespace; columns are
/// named with the prefix "page" or "lt".
std::unique_ptr<LineParser> numbered_title_parser(const SqlTable& table, const std::string& prefix);

/// Pairs (title, title) of the rows of `pagelinks`, with target numbers or with titles as before
/// MediaWiki 1.43. `titles` must outlive the parser.
std::unique_ptr<LineParser> link_parser(const SqlTable& table, const WikiTitles& titles);

/// True if the links are numbers of `linktarget`.
bool has_target_numbers(const SqlTable& pagelinks);

}  // namespace sqmax
