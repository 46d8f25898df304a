// IdCollector: the ids of one side, by first appearance, even if they do not fit into memory.
#pragma once

#include <vector>

#include "sqmax/core/workspace.h"
#include "sqmax/data/id_table.h"

#include "core/array_builder.h"
#include "data/id_dictionary.h"
#include "data/read/record_block.h"

namespace sqmax {

/// Ids are numbered by one map until it is full. Then its ids go to files, by hash, and an empty
/// map numbers the next generation from 0 again. In the end each file is small enough to find what
/// the generations have in common, and a walk through all numbers, in order, turns them into
/// positions. With one generation a number is a position, and there is nothing to do.
class IdCollector {
 public:
  explicit IdCollector(const Workspace& workspace);

  /// The numbers of a block's ids, for a column that has `rows` rows before the block.
  std::vector<Index> numbers(const LocalIds& block, std::size_t rows);

  /// Replaces the numbers in the column by positions and returns the ids.
  IdTable finish(Array<Index>& column);

 private:
  /// Where a generation ends among the rows and among all numbers.
  struct Generation {
    std::size_t rows = 0;
    std::size_t numbers = 0;
  };
  bool has_room();
  void spill(std::size_t rows);
  Array<Index> positions(IdTable& table);
  void renumber(Array<Index>& column, std::span<const Index> positions) const;

  Workspace workspace_;
  IdDictionary map_;
  MemoryToken token_;
  std::size_t counted_ = 0;                        // bytes of map_ that token_ stands for
  std::vector<ArrayBuilder<std::uint8_t>> files_;  // a length and a text for every number
  ArrayBuilder<std::uint8_t> file_of_;             // of every number
  std::vector<Generation> generations_;
};

}  // namespace sqmax
