// Plot: lines and points on two axes, as an SVG that stands alone.            docs/compare.md
#pragma once

#include <string>
#include <vector>

namespace sqmax {

struct PlotPoint {
  double x = 0.0;
  double y = 0.0;
};

/// Points in order, joined by a line if there are several.
struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
};

struct Plot {
  std::string title;
  std::string x_title;
  std::string y_title;
  bool log_x = false;  ///< points at 0 or below are left out, likewise
  bool log_y = false;
  std::vector<PlotSeries> series;
};

std::string to_svg(const Plot& plot);

}  // namespace sqmax
