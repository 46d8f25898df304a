// The grids of the paper's appendix, value by value.                         docs/compare.md
#include <algorithm>

#include "cli/presets.h"

namespace sqmax::cli {
namespace {

/// The values of one option.
struct Levels {
  std::string option;
  std::vector<double> values;
};

struct Grid {
  std::vector<std::string> losses;
  Settings fixed;  ///< what the paper does not have, and which of our forms is the paper's
  std::vector<Levels> axes;
};

const std::vector<double>& values_of_rg() {
  static const std::vector<double> values = {0, 1, 0.5, 0.1, 0.05, 0.01, 0.005, 0.001};
  return values;
}

const std::vector<Grid>& grids() {
  static const std::vector<Grid> all = {
      {.losses = {"bpr", "bce", "ssm", "sparsemax", "uib", "sml", "sm"},
       .fixed = {{"decay-power", 0.0}},
       .axes = {{"learning-rate", {0.1, 0.01, 0.001}}, {"decay", {0, 1e-6, 1e-5, 1e-4}}}},
      {.losses = {"wrmf"},
       .fixed = {},
       .axes = {{"lambda", {0, 0.1, 0.01, 0.001}}, {"alpha", {0.5, 1, 2, 4, 8}}}},
      {.losses = {"rg2"}, .fixed = {{"ridge", "weighted"}}, .axes = {{"lambda", values_of_rg()}}},
      {.losses = {"rgx"},
       .fixed = {{"ridge", "weighted"}, {"interaction", "diagonal"}},
       .axes = {{"lambda", values_of_rg()}, {"alpha", values_of_rg()}, {"beta", values_of_rg()}}},
  };
  return all;
}

std::vector<Settings> with_axis(const std::vector<Settings>& points, const Levels& levels) {
  std::vector<Settings> more;
  for (const Settings& point : points) {
    for (const double value : levels.values) {
      more.push_back(point);
      more.back()[levels.option] = value;
    }
  }
  return more;
}

}  // namespace

std::vector<Settings> paper_grid(const Preset& preset, const std::string& loss) {
  for (const Grid& grid : grids()) {
    if (std::ranges::find(grid.losses, loss) == grid.losses.end()) continue;
    Settings fixed = fixed_for(preset, loss);
    fixed.insert(grid.fixed.begin(), grid.fixed.end());
    std::vector<Settings> points = {fixed};
    for (const Levels& levels : grid.axes) points = with_axis(points, levels);
    return points;
  }
  return {};
}

}  // namespace sqmax::cli
