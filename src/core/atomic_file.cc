// AtomicFile on POSIX calls.
#include "sqmax/core/atomic_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/file_calls.h"

namespace sqmax {
namespace {

constexpr std::size_t kWriteAtMost = std::size_t{1} << 30;  // Linux writes less than 2 GiB a call
constexpr int kMostLinks = 40;                              // in a row, as Linux follows them

std::atomic<int> files_so_far = 0;  // of this process: two of one name do not meet

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// Where the links lead, even if nothing is there; empty: they lead nowhere.
std::filesystem::path without_links(std::filesystem::path path) {
  std::error_code unknown;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, unknown))) return path;
    path = folder_of(path) / std::filesystem::read_symlink(path, unknown);
  }
  return {};
}

// Of a file without a name nothing is left, however the process ends. Not every file system has
// them, and without /proc it could not get its name.
int open_nameless(const std::filesystem::path& folder) {
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  return file_calls().open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), target_(without_links(path_)) {
  if (target_.empty()) {
    errno = path_.empty() ? ENOENT : ELOOP;
    fail_with_errno("write");
  }
  std::error_code unknown;  // open() knows the reason better
  const auto status = std::filesystem::status(path_, unknown);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail(Errc::Io, "Cannot write {}: it is {}.", path_.string(),
         std::filesystem::is_directory(status) ? "a directory" : "not a regular file");
  }
  temporary_ = fmt::format("{}.tmp.{}.{}", target_.string(), ::getpid(), ++files_so_far);
  if (::access(temporary_.c_str(), F_OK) != 0 && errno != ENOENT) fail_with_errno("write");
  descriptor_ = open_nameless(folder_of(target_));
  if (descriptor_ >= 0) return;
  is_named_ = true;
  descriptor_ =
      file_calls().open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_with_errno("write");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (is_named_) ::unlink(temporary_.c_str());
}

void AtomicFile::fail_with_errno(const char* action) const {
  const int reason = errno;
  fail(Errc::Io, "Cannot {} {}: {}.", action, path_.string(), std::strerror(reason));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written =
        file_calls().write(descriptor_, bytes.data(), std::min(bytes.size(), kWriteAtMost));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with_errno("write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// A name that is there already is that of a process that died between link and rename.
void AtomicFile::give_name() {
  if (is_named_) return;
  ::unlink(temporary_.c_str());
  if (file_calls().link(descriptor_, temporary_.c_str()) != 0) fail_with_errno("write");
  is_named_ = true;
}

void AtomicFile::commit() {
  if (file_calls().sync(descriptor_) != 0) fail_with_errno("write");
  give_name();
  if (file_calls().rename(temporary_.c_str(), target_.c_str()) != 0) fail_with_errno("replace");
  ::close(descriptor_);
  descriptor_ = -1;
  // The rename itself must survive a power cut; a folder that cannot be synced is no error.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

}  // namespace sqmax
