// FolderLock on flock(), which the kernel lets go of however a process ends.
#include "core/folder_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/folders.h"

namespace sqmax {

FolderLock::FolderLock(const std::filesystem::path& folder) {
  make_folders(folder);
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) {
    fail(Errc::Io, "Cannot open the folder {}: {}.", folder.string(), std::strerror(errno));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(descriptor_);
  fail(Errc::BadInput, "{} is in use by another process.", folder.string());
}

FolderLock::~FolderLock() { ::close(descriptor_); }

}  // namespace sqmax
