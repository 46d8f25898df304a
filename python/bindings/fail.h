// fail(): the caller's mistake, found by the bindings.
#pragma once

#include <utility>

#include <fmt/format.h>

#include "sqmax/core/error.h"

namespace sqmax::python {

template <class... Args>
[[noreturn]] void fail(Errc code, fmt::format_string<Args...> sentence, Args&&... args) {
  throw Error(code, fmt::format(sentence, std::forward<Args>(args)...));
}

}  // namespace sqmax::python
