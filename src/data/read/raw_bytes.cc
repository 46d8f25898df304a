// RawBytes on POSIX calls.
#include "data/read/raw_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

int open_for_reading(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  const int reason = errno;
  if (reason == ENOENT) fail(Errc::NotFound, "Cannot read {}: there is no such file.", path);
  fail(Errc::Io, "Cannot read {}: {}.", path, std::strerror(reason));
}

}  // namespace

RawBytes RawBytes::open(const std::string& path) {
  const bool standard_input = path == "-";
  RawBytes bytes(standard_input ? "standard input" : path);
  bytes.descriptor_ = standard_input ? STDIN_FILENO : open_for_reading(path);
  struct stat status = {};
  if (::fstat(bytes.descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    fail(Errc::Io, "Cannot read {}: it is a directory.", bytes.name_);
  }
  bytes.regular_ = S_ISREG(status.st_mode) && !standard_input;
  if (bytes.regular_) bytes.size_ = status.st_size;
  bytes.buffer_ = std::make_unique<char[]>(kBufferBytes);
  return bytes;
}

RawBytes RawBytes::memory(std::string name, std::string_view bytes) {
  RawBytes raw(std::move(name));
  raw.window_ = bytes;
  raw.size_ = static_cast<Offset>(bytes.size());
  return raw;
}

RawBytes::RawBytes(RawBytes&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      regular_(other.regular_),
      buffer_(std::move(other.buffer_)),
      window_(other.window_),
      taken_(other.taken_),
      size_(other.size_) {}

RawBytes::~RawBytes() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::string_view RawBytes::window() {
  if (window_.empty()) refill();
  return window_;
}

void RawBytes::take(std::size_t count) {
  window_.remove_prefix(count);
  taken_ += static_cast<Offset>(count);
}

std::string_view RawBytes::peek(std::size_t count) {
  while (window_.size() < count && refill()) continue;
  return window_;
}

// Moves what is left to the front and reads behind it. False: nothing came.
bool RawBytes::refill() {
  if (descriptor_ < 0 || window_.size() == kBufferBytes) return false;
  const std::size_t kept = window_.size();
  if (kept > 0) std::memmove(buffer_.get(), window_.data(), kept);
  ssize_t got = -1;
  do {
    got = ::read(descriptor_, buffer_.get() + kept, kBufferBytes - kept);
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail(Errc::Io, "Cannot read {}: {}.", name_, std::strerror(errno));
  window_ = {buffer_.get(), kept + static_cast<std::size_t>(got)};
  return got > 0;
}

}  // namespace sqmax
