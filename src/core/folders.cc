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

constexpr int kMostLinks = 40;  // in a row, as Linux follows them

// What file systems answer that have nothing to sync a folder with. All else means that it was
// tried and failed; EROFS is how ext4 says that it has given up.
bool cannot_sync_folders(int reason) {
  return reason == EINVAL || reason == ENOTSUP || reason == ENOSYS;
}

[[noreturn]] void fail_to_sync(const std::filesystem::path& folder, int reason) {
  fail(Errc::Io, "Cannot sync the folder {}: {}.", folder.string(), std::strerror(reason));
}

// Whoever may not look at a folder knows nothing of what is above it, and "." is above itself.
bool may_be_missing(const std::error_code& reason) {
  return !reason || reason == std::errc::no_such_file_or_directory ||
         reason == std::errc::not_a_directory;
}

// `wanted`: what was asked for, of which `folder` is a part; messages name it.
bool make_part(const std::filesystem::path& folder, const std::filesystem::path& wanted) {
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return false;
  if (may_be_missing(failed)) {
    make_part(folder_of(folder), wanted);
    const bool is_new = std::filesystem::create_directory(folder, failed);
    if (!is_new && !failed) return false;  // somebody else was faster
  }
  if (failed) fail(Errc::Io, "Cannot make the folder {}: {}.", wanted.string(), failed.message());
  try {
    sync_folder(folder_of(folder));
  } catch (const Error&) {
    std::filesystem::remove(folder, failed);  // or the next run would take it for safe
    throw;
  }
  return true;
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

bool make_folders(const std::filesystem::path& folder) { return make_part(folder, folder); }

void remove_if_empty(const std::filesystem::path& folder) { ::rmdir(folder.c_str()); }

std::filesystem::path without_links(std::filesystem::path path) {
  std::error_code unknown;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, unknown))) return path;
    path = folder_of(path) / std::filesystem::read_symlink(path, unknown);
  }
  return {};
}

}  // namespace sqmax
