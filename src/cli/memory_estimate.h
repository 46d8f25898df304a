// Estimates of memory, told before work starts.                        docs/reliability.md#memory
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/train/tune.h"

#include "cli/json.h"
#include "cli/session.h"

namespace sqmax::cli {

/// What a command says of its memory: what it may take at most, the program and mapped files
/// included, and how much of that is the data itself.
struct MemoryEstimate {
  std::int64_t bytes = 0;
  std::int64_t data = 0;  ///< in a mapped file, whose pages the system may drop
};

/// Of a fit with these options, or of a search that makes many and learns the best once more.
MemoryEstimate training_estimate(const Dataset& dataset, const TuneOptions& options, bool searches);

/// What of that is made of the data: neither the program nor the data themselves. Of a search, at
/// the rank that it begins with: before it goes on to larger ones it looks whether there is room.
std::int64_t bytes_made(const Dataset& dataset, TuneOptions options, bool searches);

/// Of reading files within a workspace of so many bytes: tables grow with the text, up to that.
MemoryEstimate reading_estimate(const std::vector<std::string>& inputs, std::int64_t limit);

/// One after the other: what both may take at most.
MemoryEstimate larger(const MemoryEstimate& a, const MemoryEstimate& b);

/// "memory: up to 1.2G to read", "memory: up to 1.2G, 310M of it the data", and the same for a
/// document.
void tell(const MemoryEstimate& estimate, Session& session, std::string_view purpose = "");
Json to_json(const MemoryEstimate& estimate);

}  // namespace sqmax::cli
