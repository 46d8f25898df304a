// figures(): the charts of the page that stand alone.                        docs/compare.md
#include <algorithm>

#include <fmt/format.h>

#include "sqmax/report/comparison.h"

#include "report/svg.h"

namespace sqmax {
namespace {

constexpr double kLeastSeconds = 1e-4;  // what is quicker would stretch the axis for nothing

constexpr double kLeastGap = 1e-8;  // single precision knows no smaller one

double seconds_of(double seconds) { return std::max(seconds, kLeastSeconds); }

Plot convergence(const Comparison& comparison) {
  Plot plot{.title = comparison.title,
            .x_title = "seconds of the solver",
            .y_title = "validation " + comparison.metric,
            .log_x = true};
  for (const MethodResult& method : comparison.methods) {
    PlotSeries series{.name = method.loss};
    for (const CurvePoint& point : method.curve) {
      series.points.push_back({seconds_of(point.seconds), point.valid});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot cost(const Comparison& comparison) {
  Plot plot{.title = comparison.title,
            .x_title = "seconds of one fit",
            .y_title = "test " + comparison.metric,
            .log_x = true};
  for (const MethodResult& method : comparison.methods) {
    const double test = method.test_value(comparison.metric);
    plot.series.push_back(
        {.name = method.loss, .points = {{seconds_of(method.fit_seconds), test}}});
  }
  return plot;
}

Plot gaps(const Race& race, const std::string& title) {
  Plot plot{.title = fmt::format("{}: solvers of {}", title, race.loss),
            .x_title = "seconds of the solver",
            .y_title = "gap to the lowest objective",
            .log_x = true,
            .log_y = true};
  for (const Racer& racer : race.racers) {
    PlotSeries series{.name = racer.solver};
    for (std::size_t i = 0; i < racer.points.size(); ++i) {
      series.points.push_back(
          {seconds_of(racer.points[i].seconds), std::max(racer.gaps[i], kLeastGap)});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

std::vector<Figure> figures(const Comparison& comparison) {
  std::vector<Figure> all;
  if (!comparison.methods.empty()) {
    all.push_back({"convergence", to_svg(convergence(comparison))});
    all.push_back({"cost", to_svg(cost(comparison))});
  }
  for (const Race& race : comparison.races) {
    all.push_back({"solvers-" + race.loss, to_svg(gaps(race, comparison.title))});
  }
  return all;
}

}  // namespace sqmax
