// InputStream: the text of one input, decompressed on the way; compression is recognised by its
// magic bytes, never by the file's name.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "data/read/decoder.h"
#include "data/read/raw_bytes.h"

namespace sqmax {

class InputStream {
 public:
  explicit InputStream(RawBytes raw);

  const std::string& name() const { return raw_.name(); }
  /// The next text without taking it: `kHeadBytes`, or all if there is less.
  std::string_view head();
  /// Takes `count` bytes of the head.
  void skip(std::size_t count);
  /// Fills the front of `text` and says how much; 0 is the end.
  std::size_t read(std::span<char> text);

  /// Damaged compression shows as bad lines first: reads on to its end, where the decoder notices,
  /// and throws what that says. Text that is not compressed has nothing to check.
  void check_rest();

  /// Progress in stored bytes; a size of 0 is unknown.
  Offset stored_bytes_taken() const { return raw_.taken(); }
  Offset stored_bytes() const { return raw_.size(); }
  /// True if the text is the bytes of a file that can be opened again by name().
  bool is_plain_file() const { return plain_ && raw_.regular(); }
  bool is_packed() const { return !plain_; }

  static constexpr std::size_t kHeadBytes = std::size_t{1} << 17;

 private:
  std::size_t decode(std::span<char> text);

  RawBytes raw_;
  bool plain_;
  std::unique_ptr<Decoder> decoder_;
  std::string head_;
  std::size_t head_taken_ = 0;
  bool has_head_ = false;
  std::exception_ptr failure_;  // what the decoder has thrown
};

}  // namespace sqmax
