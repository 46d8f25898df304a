// SearchSpace and Search: where settings may lie, and who says which to try next. docs/search.md
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/random.h"
#include "sqmax/core/settings.h"

namespace sqmax {

/// A coordinate per axis.
using Point = std::vector<double>;

/// One option that is searched. On its scale, 0 and 1 are the ends of the declared range; 0 as a
/// value of its own (`SearchRange::zeros`) has a coordinate below all others.
struct Axis {
  OptionSpec spec;
  double low = 0.0;  ///< the range as it is now, in coordinates
  double high = 1.0;

  SettingValue value(double coordinate) const;
  double coordinate(const SettingValue& value) const;
  /// The range as it is now, from 0 to 1; zeros have their share at its beginning.
  double at(double share) const;
  double draw(Random& random) const;
  /// How far coordinates may go at all.
  double lowest() const;
  double highest() const;
  bool is_number() const { return spec.choices.empty(); }
  /// Whether a number lies at an end of the range, other than one that the option cannot pass.
  bool is_edge(double coordinate) const;
  /// Moves the end that the coordinate lies at outwards, as far as the option allows.
  void widen(double coordinate);
};

class SearchSpace {
 public:
  /// The axes are the options with a range or words to choose from, but for those in `fixed`.
  SearchSpace(const std::vector<OptionSpec>& specs, Settings fixed);

  std::span<const Axis> axes() const { return axes_; }
  bool is_empty() const { return axes_.empty(); }

  /// With the fixed ones.
  Settings settings(const Point& point) const;
  /// `settings` must have a value for every axis.
  Point point(const Settings& settings) const;
  Point draw(Random& random) const;

  /// The options of a point that lie at an end of their range.
  std::vector<std::string> edges(const Point& point) const;
  /// Moves those ends outwards.
  void widen(const Point& point);

 private:
  std::vector<Axis> axes_;
  Settings fixed_;
};

/// A point that was tried, and the metric that decides.
struct Judged {
  Point point;
  double value = 0.0;
};

/// What a search is made for.
struct SearchTask {
  std::vector<Point> starts;  ///< the defaults, and what else is worth a look
  Settings closed_form;       ///< with which a loss has a closed form; empty: it has none
  int trials = 0;             ///< at most
  std::uint64_t seed = 0;
};

/// The next point, from what was judged so far and how many points were proposed; nothing: there is
/// no other one. The same answers for the same questions.
using Search =
    std::function<std::optional<Point>(const SearchSpace&, std::span<const Judged>, int proposed)>;

struct SearchSpec {
  std::string name;
  std::string title;
  /// Whether options that cost no fit are searched within each trial, and ranges may grow.
  bool is_guided = false;
  std::function<Search(const SearchTask&)> make;
};

/// Every search there is; the first is the usual one.
std::span<const SearchSpec> searches();

/// Throws Errc::BadOption with a sentence that lists the names.
const SearchSpec& find_search(std::string_view name);

}  // namespace sqmax
