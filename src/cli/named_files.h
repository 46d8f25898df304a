// NamedFile: a file of the command line, and which one it is there.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace sqmax::cli {

struct NamedFile {
  std::string name;  ///< of its option; empty: it has none
  std::string path;  ///< empty: it was not given
};

/// Throws Errc::BadOption, naming it, if one of them lies in this folder of --checkpoint, or would
/// take its place, by whatever path or link. Folders within it are another matter.
void check_none_in(const std::filesystem::path& folder, std::span<const NamedFile> files);

}  // namespace sqmax::cli
