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
  std::int64_t data = 0;           ///< in a mapped file, whose pages the system may drop
  std::int64_t at_first_rank = 0;  ///< of a search that may go on to larger ranks; else 0
};

/// The program itself, its libraries and threads.
std::int64_t program_bytes();

/// Of a fit with these options, or of a search that makes many and learns the best once more.
MemoryEstimate training_estimate(const Dataset& dataset, const TuneOptions& options, bool searches);

/// What of that is made of the data: neither the program nor the data themselves. Of a search, at
/// the rank that it begins with: before it goes on to larger ones it looks whether there is room.
/// The same for any number of threads.
std::int64_t bytes_made(const Dataset& dataset, TuneOptions options, bool searches);

/// The model that such a fit or search ends with.
std::int64_t model_bytes(const Dataset& dataset, const TuneOptions& options);

/// Of reading files within a workspace of so many bytes: tables grow with the text, up to that,
/// and then go to disk.
MemoryEstimate reading_estimate(const std::vector<std::string>& inputs, std::int64_t limit);

/// Of data that are there, and a table that takes so many bytes beside them.
MemoryEstimate with_table(const Dataset& dataset, std::int64_t bytes);

/// The same, with all of that file mapped.
MemoryEstimate with_mapped(MemoryEstimate estimate, const std::string& path);

/// One after the other: what both may take at most.
MemoryEstimate larger(const MemoryEstimate& a, const MemoryEstimate& b);

/// "memory: up to 1.2G to read", "memory: up to 1.2G, 310M of it the data", and the same for a
/// document. A search says besides what it takes at the rank that it begins with.
void tell(const MemoryEstimate& estimate, Session& session, std::string_view purpose = "");
Json to_json(const MemoryEstimate& estimate);

}  // namespace sqmax::cli
