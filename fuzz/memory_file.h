// MemoryFile: bytes with a path, for code that opens files. memory_path() and MemoryFolder: for
// code that writes them. Nothing touches a disk, whose syncs would take most of the time.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace sqmax {

/// A name of this process's own in a folder that is kept in memory, where there is one.
inline std::filesystem::path memory_path(const std::string& name) {
  const std::filesystem::path shared = "/dev/shm";
  const bool has_shared = std::filesystem::is_directory(shared);
  return (has_shared ? shared : std::filesystem::temp_directory_path()) /
         (name + "." + std::to_string(::getpid()));
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Of this process, and gone with it.
class MemoryFolder {
 public:
  explicit MemoryFolder(const std::string& name) : path_(memory_path(name)) {
    std::filesystem::create_directories(path_);
  }
  ~MemoryFolder() { std::filesystem::remove_all(path_); }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::uint8_t> bytes)
      : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    const auto size = static_cast<::ssize_t>(bytes.size());
    if (descriptor_ < 0 || ::write(descriptor_, bytes.data(), bytes.size()) != size) {
      throw std::runtime_error("memfd_create or write failed");
    }
  }
  explicit MemoryFile(std::string_view text)
      : MemoryFile({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}) {}
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace sqmax
