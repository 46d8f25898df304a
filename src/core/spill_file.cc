// SpillFile on POSIX calls.
#include "core/spill_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/file_calls.h"
#include "core/page_watch.h"
#include "core/temporary_name.h"

namespace sqmax {
namespace {

constexpr std::size_t kWriteAtMost = std::size_t{1} << 30;  // Linux writes less than 2 GiB a call
constexpr double kMappedShare = 0.125;                      // of the memory, for pages of files
constexpr std::size_t kLeastMapped = std::size_t{16} << 20;
constexpr std::size_t kMostMapped = std::size_t{1} << 30;

int open_new(const char* path) {
  return file_calls().open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

// Not every file system has files without a name; elsewhere it has one for a moment.
int open_nameless(const std::string& folder) {
  const int descriptor = file_calls().open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return descriptor;
  const std::filesystem::path target = folder + "/.sqmax";
  std::filesystem::path name = temporary_name(target);
  const int named = name.empty() ? -1 : at_free_name(target, name, &open_new);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

SpillFile::SpillFile(const Workspace& workspace)
    : folder_(workspace.folder().empty() ? "." : workspace.folder().string()),
      most_mapped_(workspace.share(kMappedShare, kLeastMapped, kMostMapped)),
      descriptor_(open_nameless(folder_)) {
  if (descriptor_ < 0) fail_with_errno("make");
  workspace.tell_on_disk();
}

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SpillFile::fail_with_errno(const char* action) const {
  const int reason = errno;
  fail(Errc::Io, "Cannot {} a temporary file in {}: {}.", action, folder_, std::strerror(reason));
}

void SpillFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written =
        file_calls().write(descriptor_, bytes.data(), std::min(bytes.size(), kWriteAtMost));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with_errno("write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += static_cast<std::size_t>(written);
  }
}

SpillFile::Mapping SpillFile::map() const {
  if (size_ == 0) return {};
  void* begin = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (begin == MAP_FAILED) fail_with_errno("read");
  return {watch_pages(begin, size_, most_mapped_), {static_cast<const std::byte*>(begin), size_}};
}

}  // namespace sqmax
