// Reading of tensor files: map or read, verify, hand out views.
#include <bit>
#include <cstring>

#include "sqmax/core/tensor_file.h"

#include "core/fail.h"
#include "core/file_contents.h"
#include "core/tensor_header.h"

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian");

namespace sqmax {
namespace {

constexpr std::size_t kLengthBytes = 8;

// Of a file of so many bytes that begins like this.
std::size_t header_length(std::span<const std::byte> beginning, std::size_t size) {
  std::uint64_t length = 0;
  if (beginning.size() >= kLengthBytes) std::memcpy(&length, beginning.data(), kLengthBytes);
  if (length == 0 || length > size - kLengthBytes) {
    fail(Errc::BadFile, "it does not begin like a .safetensors file, or it is truncated");
  }
  if (length > kLongestHeader) fail(Errc::BadFile, "its header is longer than any of sqmax");
  if (length % kLengthBytes != 0) {
    fail(Errc::BadFile, "its data does not begin at a multiple of eight bytes");
  }
  return length;
}

std::string_view header_text(std::span<const std::byte> bytes, std::size_t length) {
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

// Before all of a file is copied: whether its header says that it is what is wanted, and of that
// size.
void verify_beginning(const std::filesystem::path& path, std::string_view kind) {
  const FileBeginning first = beginning_of(path, kLengthBytes);
  const std::size_t length = header_length(first.bytes, first.size);
  const FileBeginning header = beginning_of(path, kLengthBytes + length);
  if (header.bytes.size() < kLengthBytes + length) fail(Errc::BadFile, "it is truncated");
  const std::string_view json = header_text(header.bytes, length);
  verify_kind(parse_tensor_header(json, header.size - header.bytes.size()), kind);
}

// What is wrong with a file, and which it is.
[[noreturn]] void refuse(const std::filesystem::path& path, const Error& error) {
  fail(Errc::BadFile, "Cannot read {}: {}.", path.string(), error.what());
}

}  // namespace

TensorFile TensorFile::open(const std::filesystem::path& path, std::string_view kind) {
  const FileContents contents = map_file(path);
  return of_bytes(path, kind, contents.keeper, contents.bytes);
}

TensorFile TensorFile::read(const std::filesystem::path& path, std::string_view kind) {
  try {
    verify_beginning(path, kind);
  } catch (const Error& error) {
    if (error.code() == Errc::Io) throw;  // it says which file
    refuse(path, error);
  }
  const FileContents contents = copy_file(path);
  return of_bytes(path, kind, contents.keeper, contents.bytes);
}

TensorFile TensorFile::of_bytes(const std::filesystem::path& path, std::string_view kind,
                                std::shared_ptr<const void> keeper,
                                std::span<const std::byte> bytes) {
  TensorFile file;
  file.path_ = path;
  try {
    const std::string_view json = header_text(bytes, header_length(bytes, bytes.size()));
    file.keeper_ = std::move(keeper);
    file.data_ = bytes.subspan(kLengthBytes + json.size());
    TensorHeader header = parse_tensor_header(json, file.data_.size());
    verify_kind(header, kind);
    verify_checksum(json, file.data_, header.metadata["checksum"]);
    file.metadata_ = std::move(header.metadata);
    file.tensors_ = std::move(header.tensors);
  } catch (const Error& error) {
    refuse(path, error);
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
