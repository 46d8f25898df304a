// Checks of numbers.
#include "solve/finite.h"

#include <algorithm>
#include <cmath>

#include "core/fail.h"

namespace sqmax {
namespace {

bool are_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

void check_side(const SideTerms& side, const char* name) {
  const bool sound = are_finite(side.weight) && are_finite(side.lean) &&
                     are_finite(side.curvature) && are_finite(side.pull) &&
                     are_finite(side.ridge) && std::isfinite(side.interaction);
  if (!sound) {
    fail(Errc::BadOption,
         "With these options the loss gives {} a weight beyond 10^38, more than numbers of single "
         "precision hold; use options nearer to 1.",
         name);
  }
}

}  // namespace

void check_form(const QuadraticForm& form) {
  check_side(form.users, "a user");
  check_side(form.items, "an item");
}

void check_sums(std::span<const float> sums) {
  if (are_finite(sums)) return;
  fail(
      Errc::BadOption,
      "With these options sums of the loss pass 10^38, more than numbers of single precision hold; "
      "use options nearer to 1, or a larger ridge.");
}

Solution finite(Solution solution) {
  for (const auto values :
       {std::span<const float>(solution.P.values()), std::span<const float>(solution.Q.values()),
        std::span<const float>(solution.user_extra), std::span<const float>(solution.item_extra)}) {
    if (are_finite(values)) continue;
    fail(Errc::BadOption,
         "With these options training ends in vectors that are not numbers; use options nearer to "
         "1, or a larger ridge.");
  }
  return solution;
}

}  // namespace sqmax
