// Conjugate gradients on the normal equations of a row, which are never formed.
// docs/solvers/cg.md
//
//   A d = u G d + ω Σ_{j∈I} ω_j (f_j·d) f_j + λ d         O(n K + K²)
//   r = b − A x,  d = r;  then
//   a = r·r / d·A d,   x += a d,   r' = r − a A d,   d ← r' + (r'·r' / r·r) d
#include "solve/cg.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "solve/interaction.h"
#include "solve/row.h"
#include "solve/row_system.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 64;
constexpr double kAtRest = 1e-12;  // of ‖r‖²/‖b‖²: what is left is rounding

struct Workspace {
  explicit Workspace(Offset rank) : r(at(rank)), d(at(rank)), Ad(at(rank)) {}
  std::vector<float> r;
  std::vector<float> d;
  std::vector<float> Ad;
};

// Products of numbers near 10^±20 are none of single precision.
double dot(std::span<const float> a, std::span<const float> b) {
  const float sum = kernels::dot(a, b);
  if (std::isnormal(sum)) return sum;
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                            [](double x, double y) { return x * y; });
}

void iterate(const RowSystem& row, int steps, Workspace& work, std::span<float> x) {
  auto& [r, d, Ad] = work;
  row.right_side(r);
  const double enough = kAtRest * dot(r, r);
  row.multiply(x, Ad);
  kernels::axpy(-1.0f, Ad, r);
  d = r;
  double rr = dot(r, r);
  for (int step = 0; step < steps && rr > enough; ++step) {
    row.multiply(d, Ad);
    const double curvature = dot(d, Ad);
    if (!(curvature > 0.0)) return;  // A is singular along d: nothing to gain
    const auto length = static_cast<float>(rr / curvature);
    kernels::axpy(length, d, x);
    kernels::axpy(-length, Ad, r);
    const double next = dot(r, r);
    const auto ratio = static_cast<float>(next / rr);
    std::transform(d.begin(), d.end(), r.begin(), d.begin(),
                   [ratio](float dk, float rk) { return rk + ratio * dk; });
    rr = next;
  }
}

}  // namespace

void cg_half_step(int steps, const SideTerms& solved, const SideTerms& fixed, double target,
                  CsrView observed, ConstMatrix F, MutableMatrix X) {
  FixedSide side = fix_side(fixed, solved.interaction, target, F);
  if (fixed.interaction != 0.0) side.push = tangent_push(solved, fixed, F, X);
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    Workspace work(F.cols);
    for (Offset r = block.begin; r < block.end; ++r) {
      const RowTerms terms = row_terms(solved, r);
      const auto history = observed.row(static_cast<Index>(r));
      if (is_idle(terms, history)) {
        std::ranges::fill(X.row(r), 0.0f);
      } else {
        iterate(RowSystem(side, terms, history), steps, work, X.row(r));
      }
    }
  });
}

}  // namespace sqmax
