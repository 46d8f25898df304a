// edits_to_begin(): how many slips of the keyboard lie between a word and the beginning of another.
#pragma once

#include <string_view>

namespace sqmax {

/// The fewest letters left out, added, changed or swapped with their neighbour that make `typed` a
/// beginning of `word`; `limit` + 1 if it takes more than `limit`.
int edits_to_begin(std::string_view typed, std::string_view word, int limit);

}  // namespace sqmax
