// MemoryFile: bytes with a path, for code that opens files. memory_path(): for code that writes
// them. Nothing touches a disk, whose syncs would take most of the time.
#pragma once

#include <filesystem>
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
