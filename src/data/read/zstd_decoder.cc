// zstd; frames may follow each other.
#include <zstd.h>

#include "core/fail.h"
#include "data/read/decoder.h"

namespace sqmax {
namespace {

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
      if (::ZSTD_isError(status) != 0) {
        fail(Errc::BadInput, "Cannot read {}: its zstd data is damaged ({}).", raw.name(),
             ::ZSTD_getErrorName(status));
      }
      within_frame_ = status != 0;
      if (window.empty() && within_frame_ && out.pos == 0) {
        fail(Errc::BadInput, "Cannot read {}: its zstd data is cut off.", raw.name());
      }
    }
    return out.pos;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_{::ZSTD_createDCtx()};
  bool within_frame_ = false;
};

}  // namespace

std::unique_ptr<Decoder> zstd_decoder() { return std::make_unique<ZstdDecoder>(); }

}  // namespace sqmax
