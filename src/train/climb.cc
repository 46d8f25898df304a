// climb(): a pattern search in one dimension.
#include "train/climb.h"

#include <algorithm>
#include <map>

namespace sqmax {
namespace {

constexpr double kUnit = 0.05;
constexpr int kFirstStep = 4;  // units

}  // namespace

double climb(double start, double low, double high, const std::function<double(double)>& value) {
  const auto place = [&](int units) { return std::clamp(start + units * kUnit, low, high); };
  std::map<double, double> known;  // what was asked is not asked again
  const auto ask = [&](int units) {
    const auto [entry, is_new] = known.try_emplace(place(units));
    if (is_new) entry->second = value(place(units));
    return entry->second;
  };
  int best = 0;
  for (int step = kFirstStep; step >= 1; step /= 2) {
    for (bool moved = true; moved;) {
      moved = false;
      for (const int side : {best - step, best + step}) {
        if (ask(side) <= ask(best)) continue;
        best = side;
        moved = true;
        break;
      }
    }
  }
  return place(best);
}

}  // namespace sqmax
