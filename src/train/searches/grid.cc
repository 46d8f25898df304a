// Grid search: as many levels an axis as the number of trials allows, every combination once.
#include "train/searches/searches.h"

namespace sqmax {
namespace {

constexpr int kUsualLevels = 3;  // if the time is limited, not the trials
constexpr int kMostLevels = 1000;
constexpr int kMostTrials = 1 << 20;  // more than that is no limit

bool has_zero(const Axis& axis) { return axis.is_number() && axis.spec.search.zeros > 0.0; }

// How many values of an axis are tried at most: all words, but any number of numbers.
int most_levels(const Axis& axis, int trials) {
  if (axis.is_number()) return trials > kMostTrials ? kUsualLevels : kMostLevels;
  const auto& spec = axis.spec;
  return static_cast<int>(spec.drawn.empty() ? spec.choices.size() : spec.drawn.size());
}

// One level more for each axis in turn, as long as all combinations are within the trials.
std::vector<int> levels_of(const SearchSpace& space, int trials) {
  std::vector<int> levels(space.axes().size(), 1);
  const auto fits = [&](std::size_t a) {
    double product = 1.0;
    for (std::size_t b = 0; b < levels.size(); ++b) product *= levels[b] + (a == b ? 1 : 0);
    return product <= trials && levels[a] < most_levels(space.axes()[a], trials);
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t a = 0; a < levels.size(); ++a) {
      if (!fits(a)) continue;
      ++levels[a];
      grown = true;
    }
  }
  return levels;
}

// Both ends and evenly between them; one level alone is the middle. Of an axis with a zero, that is
// the first of several levels.
double coordinate_of(const Axis& axis, int level, int levels) {
  const bool zero_first = has_zero(axis) && levels > 1;
  if (zero_first && level == 0) return axis.coordinate(0.0);
  const int left = levels - (zero_first ? 1 : 0);
  if (left == 1) return axis.is_number() ? 0.5 : 0.0;
  return static_cast<double>(level - (zero_first ? 1 : 0)) / static_cast<double>(left - 1);
}

}  // namespace

SearchSpec grid_search() {
  const auto make = [](const SearchTask& task) -> Search {
    return [task](const SearchSpace& space, std::span<const Judged>,
                  int proposed) -> std::optional<Point> {
      const std::vector<int> levels = levels_of(space, task.trials);
      Point point(levels.size());
      int rest = proposed;
      for (std::size_t a = levels.size(); a-- > 0; rest /= levels[a]) {
        point[a] = coordinate_of(space.axes()[a], rest % levels[a], levels[a]);
      }
      return rest == 0 ? std::optional(point) : std::nullopt;
    };
  };
  return {.name = "grid", .title = "every combination of evenly spaced values", .make = make};
}

}  // namespace sqmax
