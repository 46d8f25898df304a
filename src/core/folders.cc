// Folders on POSIX calls.
#include "core/folders.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/file_calls.h"

namespace sqmax {
namespace {

// What file systems answer that have nothing to sync a folder with. All else means that it was
// tried and failed; EROFS is how ext4 says that it has given up.
bool cannot_sync_folders(int reason) {
  return reason == EINVAL || reason == ENOTSUP || reason == ENOSYS;
}

[[noreturn]] void fail_to_sync(const std::filesystem::path& folder, int reason) {
  fail(Errc::Io, "Cannot sync the folder {}: {}.", folder.string(), std::strerror(reason));
}

// `wanted`: what was asked for, of which `folder` is a part; messages name it.
void make_part(const std::filesystem::path& folder, const std::filesystem::path& wanted) {
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return;
  if (failed != std::errc::filename_too_long) {
    make_part(folder_of(folder), wanted);
    const bool is_new = std::filesystem::create_directory(folder, failed);
    if (!is_new && !failed) return;  // somebody else was faster
  }
  if (failed) fail(Errc::Io, "Cannot make the folder {}: {}.", wanted.string(), failed.message());
  try {
    sync_folder(folder_of(folder));
  } catch (const Error&) {
    std::filesystem::remove(folder, failed);  // or the next run would take it for safe
    throw;
  }
}

}  // namespace

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = file_calls().open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (descriptor < 0 && errno == EACCES) return;  // a folder to drop files into has to do without
  if (descriptor < 0) fail_to_sync(folder, errno);
  const int reason = file_calls().sync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (reason != 0 && !cannot_sync_folders(reason)) fail_to_sync(folder, reason);
}

void make_folders(const std::filesystem::path& folder) { make_part(folder, folder); }

}  // namespace sqmax
