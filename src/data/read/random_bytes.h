// RandomBytes: an input that can be read at any position.
#pragma once

#include <span>
#include <string>

#include "sqmax/core/index.h"

#include "data/read/input_stream.h"

namespace sqmax {

/// A plain file stays where it is; anything else is taken into memory.
class RandomBytes {
 public:
  explicit RandomBytes(InputStream& input);
  ~RandomBytes();
  RandomBytes(const RandomBytes&) = delete;
  RandomBytes& operator=(const RandomBytes&) = delete;

  const std::string& name() const { return name_; }
  Offset size() const { return size_; }
  /// Fills all of `bytes`. Throws Errc::BadInput if they go past the end.
  void read(Offset position, std::span<char> bytes) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::string memory_;
  Offset size_ = 0;
};

}  // namespace sqmax
