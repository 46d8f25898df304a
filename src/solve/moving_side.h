// MovingSide: the vectors of one side, moved row by row.                docs/solvers/adam.md
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/loss/score_loss.h"

#include "solve/step_rule.h"

namespace sqmax {

/// What a score loss says of the rows of a side.
struct SideRules {
  std::vector<float> decay = {};  ///< κ of each row, or one for all of them; empty: none
  double radius = 0.0;
  std::optional<Extra> extra = {};
};

class MovingSide {
 public:
  MovingSide(Matrix start, SideRules rules, const MakeRule& make, StepShape shape);

  /// A step of one row, `now` counted from 1. Decay and what else every step brings count for the
  /// steps since the row moved last.
  void move(Offset row, Offset now, std::span<const float> gradient, float extra_slope = 0.0f);
  /// The row will be moved soon.
  void fetch(Offset row) const;

  ConstMatrix vectors() const { return vectors_; }
  std::span<const float> extras() const { return extras_; }
  float extra(Offset row) const { return extras_.empty() ? 0.0f : extras_[at(row)]; }
  /// All of it; every name begins with `name`.
  void show(const std::string& name, StateVisitor& visitor);
  /// Beside the mean over observed pairs: Σ κ_r/2 |f_r|² and slope · mean of the extras.
  double penalty() const;
  double extra_term() const;

 private:
  float decay(Offset row) const {
    if (rules_.decay.empty()) return 0.0f;
    return rules_.decay.size() == 1 ? rules_.decay[0] : rules_.decay[at(row)];
  }

  Matrix vectors_;
  std::vector<float> extras_;
  std::vector<Offset> moved_;  // the step of each row's last move
  SideRules rules_;
  std::unique_ptr<StepRule> rule_;
  std::unique_ptr<StepRule> extra_rule_;
};

}  // namespace sqmax
