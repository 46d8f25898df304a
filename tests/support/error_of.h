// error_of(): the sentence of a mistake.
#pragma once

#include <string>

#include "sqmax/core/error.h"

namespace sqmax {

/// The sentence of the Error that `action` throws, or "".
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace sqmax
