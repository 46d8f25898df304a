// Decoder: stored bytes to text, for each way of compression.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "data/read/raw_bytes.h"

namespace sqmax {

class Decoder {
 public:
  Decoder() = default;
  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Fills the front of `text` and says how much; 0 is the end. Throws Errc::BadInput if the
  /// compressed bytes are damaged or end too early.
  virtual std::size_t read(RawBytes& raw, std::span<char> text) = 0;
};

inline constexpr std::string_view kGzipMagic = "\x1f\x8b";
inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

/// So many bytes are enough to know.
inline constexpr std::size_t kMagicBytes = 4;
bool is_compressed(std::string_view first_bytes);

std::unique_ptr<Decoder> plain_decoder();
std::unique_ptr<Decoder> gzip_decoder();
std::unique_ptr<Decoder> zstd_decoder();

/// The decoder for bytes that begin like this.
std::unique_ptr<Decoder> decoder_for(std::string_view first_bytes);

}  // namespace sqmax
