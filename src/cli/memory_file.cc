// MemoryFile: by memfd_create.
#include "cli/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "core/fail.h"

namespace sqmax::cli {

MemoryFile::MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("sqmax", MFD_CLOEXEC)) {
  while (descriptor_ >= 0 && !bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (!bytes.empty()) fail(Errc::Io, "There is not enough memory for the data of the demo.");
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace sqmax::cli
