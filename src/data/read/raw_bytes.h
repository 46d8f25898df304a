// RawBytes: the bytes of a file, the standard input or a block of memory, as they are stored.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sqmax/core/index.h"

namespace sqmax {

/// A window that slides over the bytes. Every failure is an Error that names the file.
class RawBytes {
 public:
  /// "-" is the standard input.
  static RawBytes open(const std::string& path);
  static RawBytes memory(std::string name, std::string_view bytes);
  ~RawBytes();
  RawBytes(RawBytes&& other) noexcept;
  RawBytes& operator=(RawBytes&&) = delete;

  const std::string& name() const { return name_; }
  /// Bytes not taken yet; refilled when empty, so an empty answer is the end.
  std::string_view window();
  void take(std::size_t count);
  /// The window, refilled until it has `count` bytes or all that remain.
  std::string_view peek(std::size_t count);

  Offset taken() const { return taken_; }
  /// 0: unknown.
  Offset size() const { return size_; }
  bool regular() const { return regular_; }

 private:
  explicit RawBytes(std::string name) : name_(std::move(name)) {}
  bool refill();

  std::string name_;
  int descriptor_ = -1;
  bool regular_ = false;
  std::unique_ptr<char[]> buffer_;
  std::string_view window_;
  Offset taken_ = 0;
  Offset size_ = 0;
};

}  // namespace sqmax
