// zstd; frames may follow each other.
#include <zstd.h>

#include "core/fail.h"
#include "data/read/decoder.h"

namespace sqmax {
namespace {

// Interactions that repeat each other unpack to a hundred times their size. A few bytes that unpack
// to gigabytes are an attack on memory or disk. (The other formats cannot: deflate stops at 1032.)
constexpr std::size_t kMostGrowth = 2000;
constexpr std::size_t kHarmless = std::size_t{64} << 20;  // bytes of text, from however few

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ::ZSTD_freeDCtx(context); }
};

class ZstdDecoder final : public Decoder {
 public:
  std::size_t read(RawBytes& raw, std::span<char> text) override {
    ZSTD_outBuffer out = {text.data(), text.size(), 0};
    while (out.pos == 0) {
      const std::string_view window = raw.window();
      // Text may still be inside the context when all bytes are taken.
      if (window.empty() && !within_frame_) return 0;
      ZSTD_inBuffer in = {window.data(), window.size(), 0};
      const std::size_t status = ::ZSTD_decompressStream(context_.get(), &out, &in);
      raw.take(in.pos);
      raw_bytes_ += in.pos;
      if (::ZSTD_isError(status) != 0) {
        fail(Errc::BadInput, "Cannot read {}: its zstd data is damaged ({}).", raw.name(),
             ::ZSTD_getErrorName(status));
      }
      within_frame_ = status != 0;
      if (window.empty() && within_frame_ && out.pos == 0) {
        fail(Errc::BadInput, "Cannot read {}: its zstd data is cut off.", raw.name());
      }
    }
    text_bytes_ += out.pos;
    if (text_bytes_ > kHarmless && text_bytes_ / kMostGrowth > raw_bytes_) {
      fail(Errc::BadInput, "Cannot read {}: it unpacks to more than {} times its size.", raw.name(),
           kMostGrowth);
    }
    return out.pos;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_{::ZSTD_createDCtx()};
  bool within_frame_ = false;
  std::size_t raw_bytes_ = 0;
  std::size_t text_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Decoder> zstd_decoder() { return std::make_unique<ZstdDecoder>(); }

}  // namespace sqmax
