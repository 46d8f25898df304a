// FolderLock on flock(), which the kernel lets go of however a process ends.
#include "core/folder_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/folders.h"

namespace sqmax {
namespace {

// A process that is done removes its folder while it holds it: a lock on what was opened before
// that keeps nobody out of the next folder of that name.
bool is_still(const std::filesystem::path& folder, int descriptor) {
  struct stat here {};
  struct stat held {};
  return ::stat(folder.c_str(), &here) == 0 && ::fstat(descriptor, &held) == 0 &&
         here.st_dev == held.st_dev && here.st_ino == held.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder) {
  while (true) {
    is_new_ = make_folders(folder);
    descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) {
      if (errno == ENOENT) continue;  // removed meanwhile
      fail(Errc::Io, "Cannot open the folder {}: {}.", folder.string(), std::strerror(errno));
    }
    const bool is_free = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    if (is_free && is_still(folder, descriptor_)) return;
    ::close(descriptor_);
    if (!is_free) fail(Errc::BadInput, "{} is in use by another process.", folder.string());
  }
}

// A run that was refused leaves no trace. What another process has made there since is not ours.
FolderLock::~FolderLock() {
  if (is_new_ && is_still(folder_, descriptor_)) remove_if_empty(folder_);
  ::close(descriptor_);
}

}  // namespace sqmax
