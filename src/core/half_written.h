// What a killed process leaves of a file that it was writing: NAME.tmp.WORD     (AtomicFile)
#pragma once

#include <filesystem>
#include <string_view>

namespace sqmax {

/// Whether `name` is what a file called `whole` is called while it is written.
bool is_half_written(std::string_view name, std::string_view whole);

/// Removes all such files beside `path`. Only for somebody who knows that no one writes it now.
void remove_half_written(const std::filesystem::path& path);

}  // namespace sqmax
