// Vose: a poor item's slice is filled up by a rich one, until all slices are full.
#include "data/alias_table.h"

#include <algorithm>
#include <numeric>

namespace sqmax {
namespace {

constexpr double kWhole = 0x1.0p32;

std::uint32_t threshold_of(double fill) {
  return static_cast<std::uint32_t>(std::clamp(fill * kWhole, 0.0, kWhole - 1.0));
}

}  // namespace

void append_alias_table(std::span<const Index> items, std::span<const double> weights,
                        std::vector<AliasSlice>& table) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  std::vector<double> fill(weights.size());
  std::vector<std::size_t> poor;
  std::vector<std::size_t> rich;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    fill[i] = weights[i] / mean;
    (fill[i] < 1.0 ? poor : rich).push_back(i);
  }
  const std::size_t begin = table.size();
  for (const Index item : items) table.push_back({threshold_of(1.0), item, item});
  while (!poor.empty() && !rich.empty()) {
    const std::size_t low = poor.back();
    const std::size_t high = rich.back();
    poor.pop_back();
    table[begin + low] = {threshold_of(fill[low]), items[low], items[high]};
    fill[high] -= 1.0 - fill[low];
    if (fill[high] >= 1.0) continue;
    rich.pop_back();
    poor.push_back(high);
  }
}

}  // namespace sqmax
