// Rate: straight lines through the logarithms of gaps.                      docs/compare.md
#include <algorithm>
#include <array>
#include <cmath>

#include "sqmax/train/race.h"

namespace sqmax {
namespace {

constexpr double kFar = 0.5;        // of the whole way: before that a solver looks for the valley
constexpr double kRounding = 1e-6;  // single precision knows no smaller gap
constexpr std::size_t kFewest = 4;  // points of a line that says something
constexpr double kFaster = 1.2;     // the order from which on a gap is not just divided

struct Line {
  double slope = 0.0;
  double fit = 0.0;  // R²
};

Line line_through(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  if (xx <= 0.0 || yy <= 0.0) return {};
  return {.slope = xy / xx, .fit = xy * xy / (xx * yy)};
}

}  // namespace

std::string_view name_of(RateKind kind) {
  constexpr std::array<std::string_view, 4> names = {"unknown", "linear", "sublinear",
                                                     "superlinear"};
  return names.at(static_cast<std::size_t>(kind));
}

// A rate is what holds in the end: of the steps within bounds, the later half counts.
Rate fitted_rate(std::span<const double> gaps) {
  std::vector<std::size_t> within;
  for (std::size_t t = 1; t < gaps.size(); ++t) {
    if (gaps[t] > kRounding && gaps[t] <= kFar) within.push_back(t);
  }
  const std::size_t kept = std::min(within.size(), std::max(within.size() / 2, kFewest));
  std::vector<double> steps;
  std::vector<double> log_steps;
  std::vector<double> log_gaps;
  for (const std::size_t t : std::span(within).last(kept)) {
    steps.push_back(static_cast<double>(t));
    log_steps.push_back(std::log(static_cast<double>(t)));
    log_gaps.push_back(std::log(gaps[t]));
  }
  if (log_gaps.size() < kFewest || log_gaps.back() >= log_gaps.front()) return {};
  const std::span<const double> all = log_gaps;
  const Line order = line_through(all.first(all.size() - 1), all.last(all.size() - 1));
  if (order.slope > kFaster) {
    return {.kind = RateKind::Superlinear, .value = order.slope, .fit = order.fit};
  }
  const Line linear = line_through(steps, log_gaps);
  const Line power = line_through(log_steps, log_gaps);
  if (linear.fit >= power.fit) {
    return {.kind = RateKind::Linear, .value = std::exp(linear.slope), .fit = linear.fit};
  }
  return {.kind = RateKind::Sublinear, .value = -power.slope, .fit = power.fit};
}

}  // namespace sqmax
