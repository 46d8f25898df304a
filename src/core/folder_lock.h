// FolderLock: one process at a time works in a folder.
#pragma once

#include <filesystem>

namespace sqmax {

/// Held until it goes, or the process does. The folder is made if it is not there, and then removed
/// at the end if nothing was put into it. Throws Errc::BadInput if another process holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
  bool is_new_ = false;
};

}  // namespace sqmax
