// Synthetic interactions of any size: unequal items, unequal users, tastes of low rank.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "sqmax/core/index.h"
#include "sqmax/data/csr.h"

namespace sqmax {

struct SynthOptions {
  Index users = 6040;
  Index items = 3706;
  Offset interactions = 1'000'209;  ///< exactly so many; at least one each user
  std::uint64_t seed = 0;
};

/// The size of a public data set.
struct SynthPreset {
  std::string_view name;
  SynthOptions size;
};

std::span<const SynthPreset> synth_presets();

/// Throws Errc::BadOption with the names that exist.
SynthOptions synth_preset(std::string_view name);

/// One user's distinct items, ascending. Users come in order: 0, 1, 2, …
using SynthSink = std::function<void(Index user, std::span<const Index> items)>;

/// Calls `sink` for every user, on the calling thread; the same for any number of threads. Memory:
/// O(items), however many the interactions. Throws Errc::BadOption if the sizes contradict.
void synthesize(const SynthOptions& options, const SynthSink& sink);

/// The same as one matrix in memory.
Csr synthetic_matrix(const SynthOptions& options);

}  // namespace sqmax
