// Watched mappings: files in memory of which only so many pages stay. docs/reliability.md#memory
#pragma once

#include <cstddef>
#include <memory>

namespace sqmax {

/// Takes a read-only mapping over: it is unmapped when the last copy of the answer goes. Until
/// then, pages of files that are in memory beyond `most` bytes are given back, some hundredths of a
/// second late; whoever reads them again finds the same bytes.
std::shared_ptr<const void> watch_pages(void* begin, std::size_t size, std::size_t most);

}  // namespace sqmax
