// minimise_projected(): a function of few variables within a simple set.
// docs/solvers/fold-in.md
#pragma once

#include <functional>
#include <span>

namespace sqmax {

/// A function with its gradient, and the nearest point of the set.
struct ProjectedProblem {
  std::function<double(std::span<const float> x, std::span<float> gradient)> value;
  std::function<void(std::span<float> x)> project;
};

/// Spectral projected gradients: steps as long as the last change of the gradient suggests, each
/// within what the last few values allow. x is the start, and the result.
void minimise_projected(const ProjectedProblem& problem, int steps, std::span<float> x);

}  // namespace sqmax
