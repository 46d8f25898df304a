// odd_number(): what arithmetic does not expect, chosen by a byte.
#pragma once

#include <cmath>
#include <iterator>
#include <limits>

#include "fuzz/byte_source.h"

namespace sqmax {

inline float odd_number(ByteSource& bytes) {
  const float kinds[] = {NAN,   INFINITY, -INFINITY,
                         1e38f, -0.0f,    std::numeric_limits<float>::denorm_min(),
                         -1.0f, 1e-30f,   1e30f};
  return kinds[bytes.next() % std::size(kinds)];
}

/// Numbers that are counts, nearly are, or are none.
inline double odd_count(ByteSource& bytes) {
  const double kinds[] = {0.0,      1.0, 2.0,  3.0,    255.0,  -1.0,   0.5,    1e9,         1e300,
                          INFINITY, NAN, -0.0, 0x1p31, 0x1p63, 1e-300, -1e300, 0x1p31 - 1.0};
  return kinds[bytes.next() % std::size(kinds)];
}

}  // namespace sqmax
