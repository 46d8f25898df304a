// Judge: validation users in rungs: some of them, four times as many, …, all.   docs/search.md
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sqmax/train/measure.h"

namespace sqmax {

/// The held-out items of `count` users who have any, drawn without replacement; a larger count
/// draws the same users and more.
Csr sample_users(CsrView held_out, Index count, std::uint64_t seed);

/// Successive halving: a model climbs to the next rung if it is among the best quarter of all that
/// were judged on this one. Only the last rung, of all users, decides.
class Judge {
 public:
  /// `dataset` must outlive it.
  Judge(const Dataset& dataset, std::vector<Metric> metrics, std::uint64_t seed);

  /// The held-out items of a few users, for choices within a trial: sweeps, scores, a path.
  CsrView few() const { return few_; }

  /// The deciding metric by these few.
  double glance(const Model& model) const;

  struct Verdict {
    std::vector<MetricValue> valid;  ///< by the highest rung that it reached
    Index users = 0;                 ///< of that rung
    std::vector<double> rungs;       ///< the deciding metric by each rung that it reached
    bool is_final = false;           ///< whether that was by all users
  };
  Verdict judge(const Model& model);
  /// As if a model with these values had been judged.
  void remember(std::span<const double> rungs);

 private:
  struct Rung {
    Csr held_out;
    Index users = 0;
    std::vector<double> values;  // of the deciding metric, of all that came here
  };
  static bool is_promoted(const Rung& rung);

  const Dataset& dataset_;
  std::vector<Metric> metrics_;
  Csr few_;
  std::vector<Rung> rungs_;
};

}  // namespace sqmax
