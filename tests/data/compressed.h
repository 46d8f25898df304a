// Compression in memory, for tests.
#pragma once

#include <string>

#include <zlib.h>
#include <zstd.h>

namespace sqmax {

/// zlib's deflate with its own wrapping: 31 is gzip, -15 none.
inline std::string deflate_text(const std::string& text, int window_bits) {
  z_stream stream = {};
  ::deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&stream, static_cast<uLong>(text.size())) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

inline std::string gzip(const std::string& text) { return deflate_text(text, 31); }

/// With a checksum, so that any damage shows.
inline std::string zstd(const std::string& text) {
  ZSTD_CCtx* context = ::ZSTD_createCCtx();
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(::ZSTD_compressBound(text.size()), '\0');
  out.resize(::ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ::ZSTD_freeCCtx(context);
  return out;
}

}  // namespace sqmax
