// FileContents: all bytes of a regular file, mapped or in memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace sqmax {

/// At least as aligned as any number.
struct FileContents {
  std::shared_ptr<const void> keeper;
  std::span<const std::byte> bytes;
};

/// Nothing is read before it is looked at; whoever writes to the file changes these bytes, and
/// whoever shortens it takes them away. Throws Errc::Io.
FileContents map_file(const std::filesystem::path& path);

/// The first bytes of a file, `most` if it has as many, and how many it has. Throws Errc::Io.
struct FileBeginning {
  std::vector<std::byte> bytes;
  std::size_t size = 0;
};
FileBeginning beginning_of(const std::filesystem::path& path, std::size_t most);

/// What the file had, or less if somebody shortened it in the meantime: the caller's checks must
/// find out. Throws Errc::Io.
FileContents copy_file(const std::filesystem::path& path);

}  // namespace sqmax
