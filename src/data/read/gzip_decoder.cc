// gzip by zlib; members may follow each other.
#include <zlib.h>

#include "core/fail.h"
#include "data/read/decoder.h"

namespace sqmax {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, gzip wrapping

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() { expect(::inflateInit2(&stream_, kGzipWindow) == Z_OK, "zlib starts"); }
  ~GzipDecoder() override { ::inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  std::size_t read(RawBytes& raw, std::span<char> text) override {
    stream_.next_out = reinterpret_cast<Bytef*>(text.data());
    stream_.avail_out = static_cast<uInt>(text.size());
    while (stream_.avail_out == text.size()) {
      if (raw.window().empty()) {
        if (within_member_)
          fail(Errc::BadInput, "Cannot read {}: its gzip data is cut off.", raw.name());
        return 0;
      }
      step(raw);
    }
    return text.size() - stream_.avail_out;
  }

 private:
  void step(RawBytes& raw) {
    const std::string_view window = raw.window();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(window.data()));
    stream_.avail_in = static_cast<uInt>(window.size());
    within_member_ = true;
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    raw.take(window.size() - stream_.avail_in);
    if (status == Z_STREAM_END) {
      within_member_ = false;
      ::inflateReset(&stream_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(Errc::BadInput, "Cannot read {}: its gzip data is damaged ({}).", raw.name(),
           stream_.msg != nullptr ? stream_.msg : "unknown reason");
    }
  }

  z_stream stream_ = {};
  bool within_member_ = false;
};

}  // namespace

std::unique_ptr<Decoder> gzip_decoder() { return std::make_unique<GzipDecoder>(); }

}  // namespace sqmax
