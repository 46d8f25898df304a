// A table that was read, in a file: the next run need not read again.   docs/checkpoints.md
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sqmax/data/read.h"

namespace sqmax {

/// Whole, or not at all. `identity`: what it was read from and how.
void save_table(const ReadResult& result, const std::string& identity,
                const std::filesystem::path& path);

/// Nothing if there is no such file, or one of another identity. Its columns stay in the mapped
/// file. Throws Errc::BadFile if it is not sound.
std::optional<ReadResult> load_table(const std::string& identity,
                                     const std::filesystem::path& path);

}  // namespace sqmax
