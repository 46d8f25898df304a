// StepRule: how the gradient of a row becomes a step.   docs/solvers/adam.md docs/solvers/sgd.md
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sqmax/core/index.h"
#include "sqmax/solve/state_keeper.h"

namespace sqmax {

class StepRule {
 public:
  virtual ~StepRule() = default;
  /// Moves the row x against its gradient and `decay` · x. Different rows may be moved at the same
  /// time.
  virtual void step(Offset row, std::span<const float> gradient, float decay,
                    std::span<float> x) = 0;
  /// The row will be moved soon: asks for what is remembered of it.
  virtual void fetch(Offset row) const = 0;
  /// What it remembers of earlier steps; every name begins with `name`.
  virtual void show(const std::string& name, StateVisitor& visitor) = 0;
};

/// What a rule is made for: a table of rows, and the observed pairs of a step.
struct StepShape {
  Offset rows = 0;
  Offset cols = 0;
  double rate = 0.0;
  double pairs = 1.0;
};

using MakeRule = std::function<std::unique_ptr<StepRule>(const StepShape&)>;

/// Moments of a row alone: a row that a step does not touch keeps its moments, and their bias is
/// corrected by the number of its own steps.
std::unique_ptr<StepRule> adam_rule(const StepShape& shape);

/// Along the sum over the pairs of a step, not their mean: a rate means the same for any batch.
std::unique_ptr<StepRule> sgd_rule(const StepShape& shape);

}  // namespace sqmax
