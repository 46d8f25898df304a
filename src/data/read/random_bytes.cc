// RandomBytes on pread.
#include "data/read/random_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr std::size_t kFirstPiece = std::size_t{1} << 16;

std::string all_of(InputStream& input) {
  std::string text;
  std::size_t size = 0;
  while (true) {
    text.resize(std::max(2 * size, kFirstPiece));
    const std::size_t got = input.read(std::span(text).subspan(size));
    size += got;
    if (got > 0) continue;
    text.resize(size);
    return text;
  }
}

}  // namespace

RandomBytes::RandomBytes(InputStream& input) : name_(input.name()) {
  if (input.is_plain_file()) {
    descriptor_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(Errc::Io, "Cannot read {}: {}.", name_, std::strerror(errno));
    size_ = input.stored_bytes();
  } else {
    memory_ = all_of(input);
    size_ = static_cast<Offset>(memory_.size());
  }
}

RandomBytes::~RandomBytes() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RandomBytes::read(Offset position, std::span<char> bytes) const {
  const auto count = static_cast<Offset>(bytes.size());
  if (position < 0 || position > size_ || count > size_ - position) {
    fail(Errc::BadInput, "Cannot read {}: it is cut off or damaged.", name_);
  }
  if (descriptor_ < 0) {
    std::copy_n(memory_.begin() + position, count, bytes.begin());
    return;
  }
  while (!bytes.empty()) {
    const auto got = ::pread(descriptor_, bytes.data(), bytes.size(), position);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(Errc::Io, "Cannot read {}: {}.", name_, std::strerror(errno));
    if (got == 0) fail(Errc::BadInput, "Cannot read {}: it became shorter.", name_);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    position += got;
  }
}

}  // namespace sqmax
