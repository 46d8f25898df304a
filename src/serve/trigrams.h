// Trigrams: texts by the runs of three letters that they share with another.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sqmax/core/index.h"

namespace sqmax {

/// Of folded texts. A blank in front of every word counts, so that beginnings weigh more.
class Trigrams {
 public:
  explicit Trigrams(Index texts);

  /// The next text; all of them, and then finish().
  void add(std::string_view folded);
  void finish();

  /// Those that share most with `folded`, at most `most`, ties by lower position; none without a
  /// common trigram.
  std::vector<Index> most_alike(std::string_view folded, std::size_t most) const;

 private:
  struct Entry {
    std::uint32_t trigram = 0;
    Index text = 0;
  };

  Index count_ = 0;
  Index added_ = 0;
  std::vector<Entry> entries_;  // sorted by finish()
};

}  // namespace sqmax
