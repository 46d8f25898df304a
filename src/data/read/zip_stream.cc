// ZipStream: stored or deflated bytes, with their checksum.
#include <algorithm>
#include <vector>

#include <zlib.h>

#include "core/fail.h"
#include "data/read/zip_archive.h"

namespace sqmax {
namespace {

constexpr Offset kLocalHeaderSize = 30;
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

std::uint16_t number_at(const std::vector<char>& bytes, std::size_t position) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[position]) |
                                    (static_cast<unsigned char>(bytes[position + 1]) << 8));
}

}  // namespace

struct ZipStream::State {
  State(const RandomBytes& source, ZipEntry described)
      : bytes(source),
        entry(std::move(described)),
        text_left(entry.size),
        stored_left(entry.stored_size) {
    std::vector<char> header(at(kLocalHeaderSize));
    bytes.read(entry.header, header);
    if (header[0] != 'P' || header[1] != 'K' || header[2] != 3 || header[3] != 4) fail_damaged();
    position = entry.header + kLocalHeaderSize + number_at(header, 26) + number_at(header, 28);
    if (!entry.deflated && entry.size != entry.stored_size) fail_damaged();
    if (entry.deflated) expect(::inflateInit2(&stream, -15) == Z_OK, "zlib starts");
  }
  ~State() {
    if (entry.deflated) ::inflateEnd(&stream);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void fail_damaged() const {
    fail(Errc::BadInput, "Cannot read {}: its entry {} is cut off or damaged.", bytes.name(),
         entry.name);
  }

  void read_stored(std::span<char> text) {
    bytes.read(position, text);
    position += static_cast<Offset>(text.size());
  }

  void read_deflated(std::span<char> text) {
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    while (stream.avail_out > 0) {
      if (stream.avail_in == 0) refill();
      const int status = ::inflate(&stream, Z_NO_FLUSH);
      if (status == Z_STREAM_END && stream.avail_out == 0) return;
      if (status != Z_OK) fail_damaged();
    }
  }

  void refill() {
    if (stored_left == 0) fail_damaged();
    buffer.resize(std::min(kBufferBytes, at(stored_left)));
    bytes.read(position, buffer);
    position += static_cast<Offset>(buffer.size());
    stored_left -= static_cast<Offset>(buffer.size());
    stream.next_in = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_in = static_cast<uInt>(buffer.size());
  }

  const RandomBytes& bytes;
  ZipEntry entry;
  Offset position = 0;
  Offset text_left;
  Offset stored_left;
  std::uint32_t checksum = 0;
  std::vector<char> buffer;
  z_stream stream = {};
};

ZipStream::ZipStream(const ZipArchive& archive, const std::string& name)
    : state_(std::make_unique<State>(archive.bytes(), archive.entry(name))) {}
ZipStream::~ZipStream() = default;

const std::string& ZipStream::file() const { return state_->bytes.name(); }
Offset ZipStream::left() const { return state_->text_left; }

void ZipStream::read(std::span<char> text) {
  State& state = *state_;
  if (text.empty()) return;
  if (static_cast<Offset>(text.size()) > state.text_left) state.fail_damaged();
  if (state.entry.deflated) {
    state.read_deflated(text);
  } else {
    state.read_stored(text);
  }
  state.text_left -= static_cast<Offset>(text.size());
  state.checksum = static_cast<std::uint32_t>(::crc32(
      state.checksum, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
  if (state.text_left == 0 && state.checksum != state.entry.checksum) state.fail_damaged();
}

}  // namespace sqmax
