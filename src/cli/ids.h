// Ids on the command line and in files: from what a person types to positions.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sqmax/data/id_table.h"

namespace sqmax::cli {

/// One side's ids and the way back.
class Ids {
 public:
  /// `what` is "user" or "item"; `table` must outlive it.
  Ids(std::string what, const IdTable& table)
      : what_(std::move(what)), table_(table), index_(table) {}

  /// Throws Errc::NotFound, naming the id.
  Index position(const std::string& id) const;
  std::string name(Index position) const { return std::string(table_[position]); }

  /// Positions of all words, as asked. A word is an id, or several with commas between them, or
  /// @FILE with an id on each line.
  std::vector<Index> positions(std::span<const std::string> words) const;
  /// The same as a set: ascending and distinct.
  std::vector<Index> set_of(std::span<const std::string> words) const;

 private:
  void add_word(const std::string& word, std::vector<Index>& positions) const;

  std::string what_;
  const IdTable& table_;
  IdIndex index_;
};

}  // namespace sqmax::cli
