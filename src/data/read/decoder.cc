// Decoders: the plain one, and the choice by magic bytes.
#include "data/read/decoder.h"

#include <algorithm>

namespace sqmax {
namespace {

class PlainDecoder final : public Decoder {
 public:
  std::size_t read(RawBytes& raw, std::span<char> text) override {
    const std::string_view window = raw.window();
    const std::size_t count = std::min(window.size(), text.size());
    std::copy_n(window.begin(), count, text.begin());
    raw.take(count);
    return count;
  }
};

}  // namespace

bool is_compressed(std::string_view first_bytes) {
  return first_bytes.starts_with(kGzipMagic) || first_bytes.starts_with(kZstdMagic);
}

std::unique_ptr<Decoder> plain_decoder() { return std::make_unique<PlainDecoder>(); }

std::unique_ptr<Decoder> decoder_for(std::string_view first_bytes) {
  if (first_bytes.starts_with(kGzipMagic)) return gzip_decoder();
  if (first_bytes.starts_with(kZstdMagic)) return zstd_decoder();
  return plain_decoder();
}

}  // namespace sqmax
