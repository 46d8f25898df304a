// SpillFile: a temporary file without a name, written from front to back, then mapped.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sqmax/core/workspace.h"

namespace sqmax {

/// Nothing is left of it after the process, however that ends. Every failure is an
/// Error(Errc::Io) that names the folder.
class SpillFile {
 public:
  explicit SpillFile(const Workspace& workspace);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  void append(std::span<const std::byte> bytes);

  struct Mapping {
    std::shared_ptr<const void> keeper;
    std::span<const std::byte> bytes;
  };
  /// All that was written; it outlives the file. Only a share of its pages stays in memory.
  Mapping map() const;

 private:
  [[noreturn]] void fail_with_errno(const char* action) const;

  std::string folder_;
  std::size_t most_mapped_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
};

}  // namespace sqmax
