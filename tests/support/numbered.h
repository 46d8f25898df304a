// numbered(): ids "0", "1", … for tests that do not care what they are.
#pragma once

#include <string>

#include "sqmax/data/id_table.h"

namespace sqmax {

inline IdTable numbered(Index count, const std::string& before = "") {
  IdMap map;
  for (Index r = 0; r < count; ++r) map.insert(before + std::to_string(r));
  return map.take_table();
}

}  // namespace sqmax
