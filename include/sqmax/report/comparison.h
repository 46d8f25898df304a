// Comparison: several methods on one dataset, and all that a report says about them.
// docs/compare.md
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sqmax/rank/bootstrap.h"
#include "sqmax/rank/significance.h"
#include "sqmax/report/table.h"
#include "sqmax/train/curve.h"
#include "sqmax/train/race.h"
#include "sqmax/train/tune.h"

namespace sqmax {

/// One method: searched, learned once more, measured once on the test part.
struct MethodResult {
  std::string loss;
  Settings options;  ///< of the best trial
  Index rank = 0;
  std::string solver;
  std::vector<Trial> trials;
  std::size_t best = 0;
  std::vector<std::string> edges;         ///< options whose best value lies at an end of its range
  std::vector<MetricValue> test;          ///< what was asked for
  std::vector<std::string> intervals_of;  ///< the metrics that have an interval
  std::vector<Interval> intervals;
  std::vector<MetricValue> lists;   ///< what the lists are like: metrics that describe
  std::vector<double> user_values;  ///< of the deciding metric, by user
  Curve curve;                      ///< of the best trial
  bool is_refit = false;            ///< whether validation was learned, too, before the test
  double seconds = 0.0;             ///< of the whole search
  double fit_seconds = 0.0;         ///< of the model that was measured
  std::int64_t peak_memory_bytes = 0;

  const Trial& best_trial() const { return trials[best]; }
  /// 0 if it was not measured.
  double test_value(const std::string& metric) const;
};

/// What the best method has that another one has not: a paired test by users.
struct Standing {
  PairedComparison against_best;  ///< of the other one to the best; of the best itself, nothing
  double p_adjusted = 1.0;        ///< Holm's: at most one false alarm among all methods
  double seconds_to_95 = std::numeric_limits<double>::quiet_NaN();       ///< of its own best
  double seconds_to_95_best = std::numeric_limits<double>::quiet_NaN();  ///< of the best of all
};

/// A name and what there is to say.
struct Fact {
  std::string name;
  std::string value;
};

struct Comparison {
  std::string title;                          ///< what the data are called
  std::string metric;                         ///< that decides
  std::vector<MethodResult> methods;          ///< in the order they were asked for
  std::vector<Race> races;                    ///< solvers on one loss, if that was asked for
  std::vector<MetricValue> held_out;          ///< what the held-out items themselves are like
  std::vector<Fact> data;                     ///< the card of the dataset
  std::vector<Fact> origin;                   ///< command, versions, machine
  std::optional<std::vector<Fact>> findings;  ///< of the doctor, if raw files were read
};

/// The position of the method with the best test value of the deciding metric.
std::size_t best_of(const Comparison& comparison);

/// One for each method.
std::vector<Standing> standings(const Comparison& comparison);

/// How a value differs from user to user.
struct UserSpread {
  std::vector<double> quartiles;  ///< a quarter, half and three quarters of the users have less
  std::vector<double> above;      ///< shares of users above 0, 0.05, …, 0.95
};
UserSpread spread_of(const std::vector<double>& values);

/// A row a method, the best first.
Table leaderboard(const Comparison& comparison);

/// The same numbers as one JSON document.                              docs/command-line.md
std::string to_json_text(const Comparison& comparison);

/// The leaderboard and the races for a person.
std::string to_terminal(const Comparison& comparison);

/// A document with all tables.
std::string to_report_markdown(const Comparison& comparison);

/// One file with everything in it, which opens without a network.
std::string to_page(const Comparison& comparison);

/// A figure on its own.
struct Figure {
  std::string name;  ///< "convergence"
  std::string svg;
};
std::vector<Figure> figures(const Comparison& comparison);

}  // namespace sqmax
