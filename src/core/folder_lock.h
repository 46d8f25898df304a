// FolderLock: one process at a time works in a folder.
#pragma once

#include <filesystem>

namespace sqmax {

/// Held until it goes, or the process does. The folder is made if it is not there. Throws
/// Errc::BadInput if another process holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace sqmax
