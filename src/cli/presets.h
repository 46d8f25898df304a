// Presets: the protocols of the paper's experiments.                         docs/compare.md
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sqmax/core/settings.h"

#include "cli/data_args.h"

namespace sqmax::cli {

/// What one loss does not search.
struct FixedOptions {
  std::string loss;
  Settings options;
};

struct Preset {
  std::string name;
  std::string metrics;
  std::int64_t rank = 64;
  DataArgs data;
  std::vector<FixedOptions> fixed;
};

std::span<const Preset> presets();

/// Throws Errc::BadOption with a sentence that lists the names.
const Preset& find_preset(const std::string& name);

/// Of those for this loss, the options that it has.
Settings fixed_for(const Preset& preset, const std::string& loss);

/// Every combination of the values that the paper tried for this loss, with what the preset fixes;
/// none if the paper does not have it.
std::vector<Settings> paper_grid(const Preset& preset, const std::string& loss);

}  // namespace sqmax::cli
