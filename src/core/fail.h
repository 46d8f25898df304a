// fail(): throws an Error with a formatted sentence. expect(): an assertion about our own code.
#pragma once

#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "sqmax/core/error.h"

namespace sqmax {

template <class... Args>
[[noreturn]] void fail(Errc code, fmt::format_string<Args...> sentence, Args&&... args) {
  throw Error(code, fmt::format(sentence, std::forward<Args>(args)...));
}

/// Our own invariants. A violation is a bug in sqmax (exit code 2), never the caller's mistake.
inline void expect(bool condition, const char* invariant) {
  if (!condition) throw std::logic_error(invariant);
}

}  // namespace sqmax
