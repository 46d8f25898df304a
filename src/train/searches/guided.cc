// Guided search: a spread of points first, then where a surface through them promises most.
// docs/search.md
#include <algorithm>
#include <cmath>
#include <limits>

#include "sqmax/core/index.h"

#include "train/searches/searches.h"
#include "train/surface.h"

namespace sqmax {
namespace {

constexpr int kClosedForms = 3;       // points with a closed form that are looked at in any case
constexpr int kSpread = 4;            // and points anywhere, at least
constexpr int kSpreadShare = 10;      // or one in so many of the trials
constexpr int kCandidates = 600;      // of each kind, at which the surface is asked
constexpr double kStep = 0.12;        // standard deviation of a step from a good point
constexpr int kNear = 3;              // one proposal in so many is a step from the best point
constexpr int kNearCandidates = 20;   // at which the surface is asked then
constexpr double kShortest = 0.1;     // of kStep, for the most careful steps
constexpr double kMoved = 0.4;        // share of the coordinates that such a step changes
constexpr std::size_t kGood = 3;      // points that steps start from
constexpr double kClosedShare = 0.2;  // of the candidates get the options of the closed form
constexpr double kUnit = 0.02;        // of the best value: what counts as a difference
constexpr double kSame = 0.02;        // points nearer than that in every coordinate are one

// Additive recurrence with the powers of 1/φ, φ^(d+1) = φ + 1: fills the box more evenly than
// chance.
Point spread_point(const SearchSpace& space, int number, std::uint64_t seed) {
  const auto dimensions = static_cast<double>(space.axes().size());
  double phi = 1.5;
  for (int i = 0; i < 60; ++i) phi = std::pow(1.0 + phi, 1.0 / (dimensions + 1.0));
  Random random(seed, Purpose::Search);
  Point point;
  double step = 1.0;
  for (const Axis& axis : space.axes()) {
    step /= phi;
    const double place = random.uniform() + number * step;
    point.push_back(axis.at(place - std::floor(place)));
  }
  return point;
}

// The same point with the options of the closed form, as far as they are searched.
Point in_closed_form(const SearchSpace& space, Point point, const Settings& closed_form) {
  for (std::size_t a = 0; a < point.size(); ++a) {
    const Axis& axis = space.axes()[a];
    const auto given = closed_form.find(axis.spec.name);
    if (given != closed_form.end()) point[a] = axis.coordinate(given->second);
  }
  return point;
}

// The best points, best first; of equals the earlier.
std::vector<Point> good_points(std::span<const Judged> past) {
  std::vector<Judged> sorted(past.begin(), past.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), &Judged::value);
  std::vector<Point> points;
  for (const Judged& judged : sorted) {
    if (points.size() < kGood) points.push_back(judged.point);
  }
  return points;
}

Point step_from(const SearchSpace& space, Point point, Random& random) {
  const double length = kStep * std::pow(kShortest, random.uniform());
  for (std::size_t a = 0; a < point.size(); ++a) {
    if (random.uniform() >= kMoved) continue;
    const Axis& axis = space.axes()[a];
    const double moved = point[a] + length * random.normal();
    point[a] = axis.is_number() && point[a] >= axis.low ? std::clamp(moved, axis.low, axis.high)
                                                        : axis.draw(random);
  }
  return point;
}

//   −log(1 + (best − value)/unit)
//
// tells the good ones apart and hardly the bad: that a setting ranks like chance says no more than
// "not here", and a surface through its value would be spent on the slope that leads there.
std::vector<Judged> warped(std::span<const Judged> past) {
  const double best = std::ranges::max_element(past, {}, &Judged::value)->value;
  const double unit = std::max(kUnit * std::abs(best), 1e-12);
  std::vector<Judged> judged(past.begin(), past.end());
  for (Judged& one : judged) one.value = -std::log1p((best - one.value) / unit);
  return judged;
}

// To ask again brings the same answer.
bool is_known(const Point& point, std::span<const Judged> past) {
  return std::ranges::any_of(past, [&point](const Judged& judged) {
    return std::ranges::equal(point, judged.point,
                              [](double a, double b) { return std::abs(a - b) < kSame; });
  });
}

int spread_count(const SearchTask& task) {
  const bool is_open = task.trials == std::numeric_limits<int>::max();
  return is_open ? kSpread : std::max(kSpread, task.trials / kSpreadShare);
}

// Everywhere and around good points; one time in kNear around the best alone, and few enough that
// the surface cannot always insist on the same way: it may be wrong about a narrow ridge.
std::vector<Point> candidates(const SearchSpace& space, const std::vector<Point>& good,
                              const SearchTask& task, int proposed) {
  Random random(task.seed, Purpose::Search, static_cast<std::uint64_t>(proposed));
  const bool is_near = proposed % kNear == 0;
  std::vector<Point> points;
  for (int c = 0; c < (is_near ? kNearCandidates : 2 * kCandidates); ++c) {
    const bool is_anywhere = !is_near && c < kCandidates;
    const Point& from = good[is_near ? 0 : at(c) % good.size()];
    Point point = is_anywhere ? space.draw(random) : step_from(space, from, random);
    if (random.uniform() < kClosedShare) point = in_closed_form(space, point, task.closed_form);
    points.push_back(std::move(point));
  }
  return points;
}

Point most_promising(const SearchSpace& space, std::span<const Judged> past, const SearchTask& task,
                     int proposed) {
  const Surface surface(warped(past));
  std::vector<Point> points = candidates(space, good_points(past), task, proposed);
  Random random(task.seed, Purpose::Search, static_cast<std::uint64_t>(proposed));
  Point best = space.draw(random);  // if there is nothing else that is new
  double most = -1.0;
  for (Point& point : points) {
    const double value = surface.expected_improvement(point);
    if (value <= most || is_known(point, past)) continue;
    most = value;
    best = std::move(point);
  }
  return best;
}

}  // namespace

SearchSpec guided_search() {
  const auto make = [](const SearchTask& task) -> Search {
    return [task](const SearchSpace& space, std::span<const Judged> past, int proposed) {
      const auto starts = static_cast<int>(task.starts.size());
      const int closed = task.closed_form.empty() ? 0 : kClosedForms;
      const int number = proposed - starts;
      if (number < 0) return std::optional(task.starts[at(proposed)]);
      if (number < closed + spread_count(task) || past.size() < 2) {
        const Point point = spread_point(space, number, task.seed);
        const bool is_closed = number < closed;
        return std::optional(is_closed ? in_closed_form(space, point, task.closed_form) : point);
      }
      return std::optional(most_promising(space, past, task, proposed));
    };
  };
  return {.name = "guided",
          .title = "where a Gaussian process through the earlier trials promises most",
          .is_guided = true,
          .make = make};
}

}  // namespace sqmax
