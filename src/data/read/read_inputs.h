// Reading from any source, with the parameters that only tests change.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/data/read.h"

#include "data/read/raw_bytes.h"

namespace sqmax {

/// A path, or bytes in memory that are named like a file.
struct InputSource {
  std::string name;
  std::optional<std::string_view> memory;

  RawBytes open() const { return memory ? RawBytes::memory(name, *memory) : RawBytes::open(name); }
};

struct PartSources {
  std::vector<InputSource> sources;
  std::optional<Part> part;  ///< of every row
};

inline constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

ReadResult read_inputs(const std::vector<PartSources>& parts, const ReadOptions& options,
                       const OnProgress& on_progress, std::size_t block_bytes = kBlockBytes,
                       const Workspace& workspace = {});

}  // namespace sqmax
