// What the machine can do at best: multiply-adds in registers, loads from each level of its memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sqmax/core/index.h"

namespace sqmax::bench {

/// `rounds` times a block of independent multiply-adds that touch no memory. Returns how many
/// floating-point operations that were.
double multiply_add_in_registers(Offset rounds);

/// Σ values, as quickly as they can be loaded.
float sum(std::span<const float> values);

/// A level of the memory, and a buffer per thread that fits it and not the level before.
struct Level {
  std::string name;
  std::size_t bytes = 0;  ///< of one thread's buffer
};

/// L1, L2, L3 and memory of this machine, for so many threads at once.
std::vector<Level> levels(int threads);

}  // namespace sqmax::bench
