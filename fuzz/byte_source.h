// ByteSource: numbers off the front of a fuzzer's input; zeros once it is used up.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sqmax/core/error.h"

namespace sqmax {

class ByteSource {
 public:
  explicit ByteSource(std::span<const std::uint8_t> left) : left_(left) {}

  bool empty() const { return left_.empty(); }

  std::uint8_t next() {
    if (left_.empty()) return 0;
    const std::uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }

  /// From 0 to `most`, at most 255.
  int up_to(int most) { return next() % (most + 1); }

  /// At most `longest` numbers from −128 to 127.
  template <class T>
  std::vector<T> list(std::size_t longest) {
    std::vector<T> values(next() % longest);
    for (T& value : values) {
      const int number = next();
      value = static_cast<T>(number < 128 ? number : number - 256);
    }
    return values;
  }

 private:
  std::span<const std::uint8_t> left_;
};

inline void require(bool sound) {
  if (!sound) __builtin_trap();
}

/// A refusal is as good as success, if it says something.
template <class Action>
void try_it(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    require(std::string(error.what()).size() > 1);
  }
}

}  // namespace sqmax
