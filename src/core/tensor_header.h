// The header of a .safetensors file: 8 bytes of length, then JSON.       docs/file-formats.md
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sqmax/core/tensor_file.h"

namespace sqmax {

inline constexpr int kFormatVersion = 1;
/// The checksum covers the whole file, with these sixteen zeros where it is stored.
inline constexpr std::string_view kNoChecksum = "0000000000000000";

/// Of files that are read: what is parsed takes many times its length.
inline constexpr std::size_t kLongestHeader = std::size_t{16} << 20;

struct TensorHeader {
  std::map<std::string, std::string> metadata;
  std::map<std::string, TensorInfo> tensors;
};

std::size_t dtype_size(Dtype dtype);
std::string_view dtype_name(Dtype dtype);

/// Parses the JSON text; throws Error(Errc::BadFile) with the reason only (no file name).
TensorHeader parse_tensor_header(std::string_view json, std::size_t data_size);

/// JSON text, padded with spaces to a multiple of eight bytes.
std::string write_tensor_header(const TensorHeader& header);

/// Sixteen hexadecimal digits of XXH3 over the header (checksum zeroed) and the data.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;
  void add(std::span<const std::byte> bytes);
  std::string digest() const;

 private:
  void* state_;
};

}  // namespace sqmax
