// Outputs: looked at before hours of work are spent on what could not be written.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/folder_lock.h"

namespace sqmax::cli {

/// Throws if `path` is one of the `inputs`, whose only copy it may be.
void check_no_input(const std::string& path, std::span<const std::string> inputs);

/// The same, and throws if no file could be written there. Nothing remains on the disk, and an old
/// file stays.
void check_output(const std::string& path, std::span<const std::string> inputs);

/// The same for the files of these names in a folder that may be yet to be made.
void check_output_folder(const std::string& path, const std::vector<std::string>& names);

/// The folder for this process alone, so that results of two never mix; it is made if it is not
/// there. `checkpoint`: a folder that is locked already; nothing if that is the same, or `path` is
/// empty.
std::unique_ptr<FolderLock> lock_output_folder(const std::string& path,
                                               const std::string& checkpoint);

/// Whole, or not at all.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace sqmax::cli
