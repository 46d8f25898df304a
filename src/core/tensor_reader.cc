// Reading of tensor files: map, verify, hand out views.
#include <bit>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sqmax/core/tensor_file.h"

#include "core/fail.h"
#include "core/tensor_header.h"

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian");

namespace sqmax {
namespace {

constexpr std::size_t kLengthBytes = 8;

struct Mapping {
  std::shared_ptr<const void> keeper;
  std::span<const std::byte> bytes;
};

Mapping map_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    fail(Errc::Io, "Cannot open {}: {}.", path.string(), std::strerror(errno));
  }
  struct stat status = {};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = regular ? at(status.st_size) : 0;
  void* address = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : nullptr;
  ::close(descriptor);
  if (!regular) fail(Errc::Io, "{} is not a regular file.", path.string());
  if (address == MAP_FAILED) {
    fail(Errc::Io, "Cannot map {}: {}.", path.string(), std::strerror(errno));
  }
  std::shared_ptr<const void> keeper(address, [size](const void* mapped) {
    if (mapped != nullptr) ::munmap(const_cast<void*>(mapped), size);
  });
  return {keeper, {static_cast<const std::byte*>(address), size}};
}

std::string_view header_text(std::span<const std::byte> bytes) {
  std::uint64_t length = 0;
  if (bytes.size() >= kLengthBytes) std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length == 0 || length > bytes.size() - kLengthBytes) {
    fail(Errc::BadFile, "it does not begin like a .safetensors file, or it is truncated");
  }
  if (length > kLongestHeader) fail(Errc::BadFile, "its header is longer than any of sqmax");
  if (length % kLengthBytes != 0) {
    fail(Errc::BadFile, "its data does not begin at a multiple of eight bytes");
  }
  return {reinterpret_cast<const char*>(bytes.data() + kLengthBytes), length};
}

void verify_checksum(std::string_view json, std::span<const std::byte> data,
                     const std::string& stored) {
  std::string zeroed(json);
  const auto position = zeroed.find("\"checksum\":\"" + stored);
  if (stored.size() != kNoChecksum.size() || position == std::string::npos) {
    fail(Errc::BadFile, "it has no checksum");
  }
  zeroed.replace(zeroed.find(stored, position), stored.size(), kNoChecksum);
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(zeroed)));
  checksum.add(data);
  if (checksum.digest() != stored)
    fail(Errc::BadFile, "its checksum does not match: it is damaged");
}

void verify_kind(const TensorHeader& header, std::string_view wanted) {
  const auto kind = header.metadata.find("kind");
  const auto version = header.metadata.find("format_version");
  if (kind == header.metadata.end() || version == header.metadata.end()) {
    fail(Errc::BadFile, "it was not written by sqmax");
  }
  if (!wanted.empty() && kind->second != wanted) {
    fail(Errc::BadFile, "it is a {}, and a {} is needed here", kind->second, wanted);
  }
  if (version->second != std::to_string(kFormatVersion)) {
    fail(Errc::BadFile, "it has format version {}, and this sqmax reads version {}",
         version->second, kFormatVersion);
  }
}

}  // namespace

TensorFile TensorFile::open(const std::filesystem::path& path, std::string_view kind) {
  TensorFile file;
  file.path_ = path;
  const Mapping mapping = map_file(path);
  try {
    const std::string_view json = header_text(mapping.bytes);
    file.mapping_ = mapping.keeper;
    file.data_ = mapping.bytes.subspan(kLengthBytes + json.size());
    TensorHeader header = parse_tensor_header(json, file.data_.size());
    verify_kind(header, kind);
    verify_checksum(json, file.data_, header.metadata["checksum"]);
    file.metadata_ = std::move(header.metadata);
    file.tensors_ = std::move(header.tensors);
  } catch (const Error& error) {
    fail(Errc::BadFile, "Cannot read {}: {}.", path.string(), error.what());
  }
  return file;
}

const std::string& TensorFile::metadata(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) {
    fail(Errc::BadFile, "Cannot read {}: it lacks the entry '{}'.", path_.string(), key);
  }
  return found->second;
}

const TensorInfo& TensorFile::info(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    fail(Errc::BadFile, "Cannot read {}: it lacks the tensor '{}'.", path_.string(), name);
  }
  return found->second;
}

std::span<const std::byte> TensorFile::checked_bytes(const std::string& name, Dtype dtype) const {
  const TensorInfo& tensor = info(name);
  if (tensor.dtype != dtype) {
    fail(Errc::BadFile, "Cannot read {}: its tensor '{}' has the type {}, not {}.", path_.string(),
         name, dtype_name(tensor.dtype), dtype_name(dtype));
  }
  return data_.subspan(tensor.begin, tensor.end - tensor.begin);
}

}  // namespace sqmax
