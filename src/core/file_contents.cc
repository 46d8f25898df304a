// FileContents: mapping and reading.
#include "core/file_contents.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sqmax/core/index.h"

#include "core/fail.h"

namespace sqmax {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) {
      fail(Errc::Io, "Cannot open {}: {}.", path.string(), std::strerror(errno));
    }
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::size_t size() const {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      fail(Errc::Io, "{} is not a regular file.", path_.string());
    }
    return at(status.st_size);
  }

  const void* map(std::size_t size) const {
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (address == MAP_FAILED) {
      fail(Errc::Io, "Cannot map {}: {}.", path_.string(), std::strerror(errno));
    }
    return address;
  }

  // How many of the bytes there are.
  std::size_t read(std::span<std::byte> bytes) const {
    std::size_t taken = 0;
    while (taken < bytes.size()) {
      const ssize_t count = ::read(descriptor_, &bytes[taken], bytes.size() - taken);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(Errc::Io, "Cannot read {}: {}.", path_.string(), std::strerror(errno));
      if (count == 0) break;
      taken += at(count);
    }
    return taken;
  }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace

FileContents map_file(const std::filesystem::path& path) {
  const OpenFile file(path);
  const std::size_t size = file.size();
  if (size == 0) return {};
  std::shared_ptr<const void> keeper(
      file.map(size), [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  return {keeper, {static_cast<const std::byte*>(keeper.get()), size}};
}

FileBeginning beginning_of(const std::filesystem::path& path, std::size_t most) {
  const OpenFile file(path);
  FileBeginning beginning{.bytes = {}, .size = file.size()};
  beginning.bytes.resize(std::min(most, beginning.size));
  beginning.bytes.resize(file.read(beginning.bytes));
  return beginning;
}

FileContents copy_file(const std::filesystem::path& path) {
  const OpenFile file(path);
  const std::size_t size = file.size();
  if (size == 0) return {};
  // Pages of its own, which go back to the system whole: a server that loads a model every now and
  // then would leave holes between smaller blocks.
  void* pages = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    fail(Errc::Io, "There is not enough memory for the {} bytes of {}.", size, path.string());
  }
  const std::shared_ptr<void> keeper(pages, [size](void* mapped) { ::munmap(mapped, size); });
  auto* const bytes = static_cast<std::byte*>(pages);
  return {keeper, {bytes, file.read({bytes, size})}};
}

}  // namespace sqmax
