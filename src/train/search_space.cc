// SearchSpace: settings as points of a box, and back.
#include <algorithm>
#include <cmath>

#include "sqmax/train/search.h"

namespace sqmax {
namespace {

constexpr double kZero = -0.25;     // the coordinate of 0 as a value of its own
constexpr double kEdge = 0.03;      // a coordinate nearer than that to an end lies at it
constexpr double kWidening = 0.35;  // by how much of the declared range it grows at once

bool is_searched(const OptionSpec& spec) {
  return !spec.choices.empty() || spec.search.low < spec.search.high;
}

const std::vector<std::string>& words_of(const OptionSpec& spec) {
  return spec.drawn.empty() ? spec.choices : spec.drawn;
}

double number_at(const SearchRange& range, double position) {
  if (range.scale == Scale::Linear) return range.low + position * (range.high - range.low);
  return range.low * std::pow(range.high / range.low, position);
}

double position_of(const SearchRange& range, double number) {
  if (range.scale == Scale::Linear) return (number - range.low) / (range.high - range.low);
  return number <= 0.0 ? kZero : std::log(number / range.low) / std::log(range.high / range.low);
}

}  // namespace

SettingValue Axis::value(double coordinate) const {
  if (!is_number()) {
    const auto& words = words_of(spec);
    const double place = coordinate * static_cast<double>(words.size() - 1);
    const auto last = static_cast<double>(words.size() - 1);
    return words[static_cast<std::size_t>(std::clamp(std::round(place), 0.0, last))];
  }
  const bool is_zero = spec.search.zeros > 0.0 && coordinate < kZero / 2;
  const double number = is_zero ? 0.0 : number_at(spec.search, std::max(coordinate, low));
  return std::clamp(spec.whole ? std::round(number) : number, spec.low, spec.high);
}

double Axis::coordinate(const SettingValue& value) const {
  if (!is_number()) {
    const auto& words = words_of(spec);
    const auto found = std::ranges::find(words, std::get<std::string>(value));
    if (found == words.end() || words.size() < 2) return 0.0;
    return static_cast<double>(found - words.begin()) / static_cast<double>(words.size() - 1);
  }
  const double number = std::get<double>(value);
  if (spec.search.zeros > 0.0 && number == 0.0) return kZero;
  return position_of(spec.search, number);
}

// A scale of powers has no end towards 0: the range may double to either side.
double Axis::lowest() const {
  const bool has_end = spec.low > 0.0 || spec.search.scale == Scale::Linear;
  return has_end ? position_of(spec.search, spec.low) : -1.0;
}

double Axis::highest() const { return std::min(position_of(spec.search, spec.high), 2.0); }

double Axis::at(double share) const {
  const double zeros = is_number() ? spec.search.zeros : 0.0;
  if (share < zeros) return kZero;
  return low + (share - zeros) / (1.0 - zeros) * (high - low);
}

double Axis::draw(Random& random) const {
  if (!is_number()) {
    const std::size_t words = words_of(spec).size();
    const auto place = static_cast<double>(random.below(words));
    return words < 2 ? 0.0 : place / static_cast<double>(words - 1);
  }
  if (spec.search.zeros > 0.0 && random.uniform() < spec.search.zeros) return kZero;
  return low + random.uniform() * (high - low);
}

bool Axis::is_edge(double coordinate) const {
  if (!is_number() || (spec.search.zeros > 0.0 && coordinate < kZero / 2)) return false;
  if (coordinate <= low + kEdge) return coordinate > lowest() && spec.search.zeros == 0.0;
  return coordinate >= high - kEdge && coordinate < highest();
}

void Axis::widen(double coordinate) {
  if (!is_edge(coordinate)) return;
  if (coordinate <= low + kEdge) {
    low = std::max(low - kWidening, lowest());
  } else {
    high = std::min(high + kWidening, highest());
  }
}

SearchSpace::SearchSpace(const std::vector<OptionSpec>& specs, Settings fixed)
    : fixed_(std::move(fixed)) {
  for (const OptionSpec& spec : specs) {
    if (is_searched(spec) && !fixed_.contains(spec.name)) axes_.push_back({.spec = spec});
  }
}

Settings SearchSpace::settings(const Point& point) const {
  Settings settings = fixed_;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    settings[axes_[a].spec.name] = axes_[a].value(point[a]);
  }
  return settings;
}

Point SearchSpace::point(const Settings& settings) const {
  Point point;
  for (const Axis& axis : axes_) point.push_back(axis.coordinate(settings.at(axis.spec.name)));
  return point;
}

Point SearchSpace::draw(Random& random) const {
  Point point;
  for (const Axis& axis : axes_) point.push_back(axis.draw(random));
  return point;
}

std::vector<std::string> SearchSpace::edges(const Point& point) const {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes_[a].is_edge(point[a])) names.push_back(axes_[a].spec.name);
  }
  return names;
}

void SearchSpace::widen(const Point& point) {
  for (std::size_t a = 0; a < axes_.size(); ++a) axes_[a].widen(point[a]);
}

}  // namespace sqmax
