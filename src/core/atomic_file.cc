// AtomicFile on POSIX calls.
#include "sqmax/core/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/file_calls.h"
#include "core/folders.h"
#include "core/temporary_name.h"

namespace sqmax {
namespace {

constexpr std::size_t kWriteAtMost = std::size_t{1} << 30;  // Linux writes less than 2 GiB a call

int open_new(const char* path) {
  return file_calls().open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
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
  temporary_ = temporary_name(target_);
  if (temporary_.empty()) fail_with_errno("write");
  if (::access(temporary_.c_str(), F_OK) != 0 && errno != ENOENT) fail_with_errno("write");
  descriptor_ = open_nameless(folder_of(target_));
  if (descriptor_ >= 0) return;
  is_named_ = true;
  descriptor_ = at_free_name(target_, temporary_, &open_new);
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

void AtomicFile::give_name() {
  if (is_named_) return;
  const auto link = [&](const char* name) { return file_calls().link(descriptor_, name); };
  if (at_free_name(target_, temporary_, link) != 0) fail_with_errno("write");
  is_named_ = true;
}

// Until the rename, a failure leaves the file as it was. After it the new one is in place and
// stays, for the old one is gone: if the folder cannot be synced, the caller is told, everybody
// reads the new file, and a power cut may bring back the old one. Whichever it is, it is whole.
void AtomicFile::commit() {
  if (file_calls().sync(descriptor_) != 0) fail_with_errno("write");
  give_name();
  if (file_calls().rename(temporary_.c_str(), target_.c_str()) != 0) fail_with_errno("replace");
  ::close(descriptor_);
  descriptor_ = -1;
  sync_folder(folder_of(target_));
}

}  // namespace sqmax
