// TensorFile: named arrays and text in one .safetensors file, mapped, checksummed.
// docs/file-formats.md
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"

namespace sqmax {

enum class Dtype { F32, I32, I64, U8 };

template <class T>
constexpr Dtype kDtypeOf = Dtype::U8;
template <>
inline constexpr Dtype kDtypeOf<float> = Dtype::F32;
template <>
inline constexpr Dtype kDtypeOf<std::int32_t> = Dtype::I32;
template <>
inline constexpr Dtype kDtypeOf<std::int64_t> = Dtype::I64;

using Shape = std::vector<std::int64_t>;

/// What a file says of one of its tensors.
struct TensorInfo {
  Dtype dtype = Dtype::U8;
  Shape shape;
  std::size_t begin = 0;  ///< bytes, from the start of the data section
  std::size_t end = 0;
};

/// A file opened for reading. Arrays taken from it keep the mapping, or the bytes, alive.
class TensorFile {
 public:
  /// Opens and verifies: structure, checksum, and that it is a `kind` of ours (any, if empty)
  /// whose format version we know. Throws Errc::BadFile or Errc::Io with a sentence.
  static TensorFile open(const std::filesystem::path& path, std::string_view kind);
  /// The same of bytes in memory: nothing is looked at in the file after it was read, so that
  /// others may write to it at any moment.
  static TensorFile read(const std::filesystem::path& path, std::string_view kind);

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  /// Throws Errc::BadFile if the file lacks it.
  const std::string& metadata(const std::string& key) const;
  const std::map<std::string, TensorInfo>& tensors() const { return tensors_; }
  bool has(const std::string& name) const { return tensors_.contains(name); }
  const Shape& shape(const std::string& name) const { return info(name).shape; }

  /// The values of a tensor, without a copy. Throws Errc::BadFile if it is missing or of another
  /// type.
  template <class T>
  Array<T> array(const std::string& name) const {
    const auto bytes = checked_bytes(name, kDtypeOf<T>);
    return {keeper_, {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)}};
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  static TensorFile of_bytes(const std::filesystem::path& path, std::string_view kind,
                             std::shared_ptr<const void> keeper, std::span<const std::byte> bytes);
  const TensorInfo& info(const std::string& name) const;
  std::span<const std::byte> checked_bytes(const std::string& name, Dtype dtype) const;

  std::filesystem::path path_;
  std::shared_ptr<const void> keeper_;
  std::span<const std::byte> data_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, TensorInfo> tensors_;
};

/// Collects views of arrays, then writes them in one go.
class TensorFileWriter {
 public:
  explicit TensorFileWriter(std::string_view kind);

  void set(const std::string& key, std::string value) { metadata_[key] = std::move(value); }

  /// `values` must stay valid until write().
  template <class T>
  void add(const std::string& name, Shape shape, std::span<const T> values) {
    add_bytes({name, kDtypeOf<T>, std::move(shape), std::as_bytes(values)});
  }

  /// Writes to a temporary file beside `path`, syncs it and renames it: either the whole file
  /// appears or nothing changes. Throws Errc::Io.
  void write(const std::filesystem::path& path) const;

 private:
  struct Entry {
    std::string name;
    Dtype dtype;
    Shape shape;
    std::span<const std::byte> bytes;
  };
  void add_bytes(Entry entry);
  std::string header() const;

  std::map<std::string, std::string> metadata_;
  std::vector<Entry> entries_;
};

}  // namespace sqmax
