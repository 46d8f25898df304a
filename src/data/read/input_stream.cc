// InputStream: a decoder with a head that can be looked at.
#include "data/read/input_stream.h"

#include <algorithm>

namespace sqmax {

InputStream::InputStream(RawBytes raw)
    : raw_(std::move(raw)),
      plain_(!is_compressed(raw_.peek(kMagicBytes))),
      decoder_(decoder_for(raw_.peek(kMagicBytes))) {}

std::string_view InputStream::head() {
  if (!has_head_) {
    has_head_ = true;
    head_.resize(kHeadBytes);
    std::size_t size = 0;
    while (size < kHeadBytes) {
      const std::size_t got = decoder_->read(raw_, std::span(head_).subspan(size));
      if (got == 0) break;
      size += got;
    }
    head_.resize(size);
  }
  return std::string_view(head_).substr(head_taken_);
}

void InputStream::skip(std::size_t count) { head_taken_ += std::min(count, head().size()); }

std::size_t InputStream::read(std::span<char> text) {
  if (head_taken_ == head_.size()) return decode(text);
  const std::size_t count = std::min(text.size(), head_.size() - head_taken_);
  std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(head_taken_), count, text.begin());
  head_taken_ += count;
  return count;
}

std::size_t InputStream::decode(std::span<char> text) {
  try {
    return decoder_->read(raw_, text);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

// Of two that fail at the same time, a line and the decoder, a pipeline throws whoever was first.
void InputStream::check_rest() {
  if (failure_) std::rethrow_exception(failure_);
  if (plain_) return;
  std::string text(kHeadBytes, '\0');
  while (read(text) > 0) {
  }
}

}  // namespace sqmax
