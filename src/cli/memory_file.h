// MemoryFile: bytes of the program with a path, for functions that open files.
#pragma once

#include <string>
#include <string_view>

namespace sqmax::cli {

class MemoryFile {
 public:
  /// Throws Errc::Io.
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const;

 private:
  int descriptor_;
};

}  // namespace sqmax::cli
