// Numbers of a model: those of its declaration, then what is reckoned with them in single
// precision: weights, scales, sums over a side, scores.
#include "model/check_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sqmax/core/parallel.h"

namespace sqmax {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();
constexpr double kLargestBlend = 2.0;  // of the option, and of a request
constexpr Offset kRowsPerBlock = 4096;

// At n, and above 0 where a power of it is taken.
bool is_sound(const DegreeLaw& law, double n, double low) {
  const double value = law(n);
  return std::max(law.offset + law.slope * n, law.floor) >= 0.0 && value >= low &&
         value <= kLargest;
}

// A law rises or falls with the degree: what holds for no interaction and for all holds between.
void check_law(const PartReader& reader, const std::string& name, const DegreeLaw& law, double most,
               double low) {
  reader.check(is_sound(law, 0.0, low) && is_sound(law, most, low),
               "the law '{}' of its declaration is {} or passes 10^38 for a row of 0 or {} "
               "interactions",
               name, low < 0.0 ? "not a number" : "negative", most);
}

void check_side(const PartReader& reader, const std::string& name, const SideLaw& side,
                double most) {
  check_law(reader, name + ".weight", side.weight, most, 0.0);
  check_law(reader, name + ".lean", side.lean, most, -kLargest);
  check_law(reader, name + ".curvature", side.curvature, most, 0.0);
  check_law(reader, name + ".pull", side.pull, most, -kLargest);
  check_law(reader, name + ".ridge", side.ridge, most, 0.0);
  reader.check(side.interaction >= 0.0 && side.interaction <= 1.0,
               "the number '{}.interaction' of its declaration is {}, not between 0 and 1", name,
               side.interaction);
}

double largest(const DegreeLaw& law, double most) {
  return std::max(std::abs(law(0.0)), std::abs(law(most)));
}

// κ ( u_x Σ_y v_y + Σ_{y∈I_x} ω_x ω_y ) at most, for users and items alike
void check_weighted_ridge(const PartReader& reader, const Model& model) {
  const double users = model.user_count();
  const double items = model.item_count();
  const auto& [user_law, item_law, target, kappa] = model.law;
  const double pair = largest(user_law.weight, items) * largest(item_law.weight, users) +
                      largest(user_law.curvature, items) * largest(item_law.curvature, users);
  reader.check(kappa >= 0.0 && kappa * pair * std::max(users, items) <= kLargest,
               "the number 'weighted_ridge' of its declaration is {}, which is negative or gives "
               "rows a ridge beyond 10^38",
               kappa);
  reader.check(std::abs(target) <= kLargest, "the number 'target' of its declaration is {}, {}",
               target, "more than numbers of single precision hold");
}

void check_blend(const PartReader& reader, const Model& model) {
  reader.check(model.blend >= 0.0 && model.blend <= kLargestBlend,
               "the number 'blend' of its declaration is {}, not between 0 and {}", model.blend,
               kLargestBlend);
  if (!model.uses_prior) return;
  // A request may ask for any blend; an item of share 0 has the score 0 in all of them.
  const double room = std::pow(kLargest, 1.0 / kLargestBlend);
  for (const Index degree : column_degrees(model.seen)) {
    const double share = model.item_count() * model.law.items.weight(degree);
    reader.check(share <= room && (share == 0.0 || share >= 1.0 / room),
                 "the law 'items.weight' of its declaration makes an item {} times as popular as "
                 "the mean, which no prior does",
                 share);
  }
}

struct Lengths {
  double longest = 0.0;   // of all rows: |x|
  double weighted = 0.0;  // Σ w |x|², no less than any number of the Gram matrix
};

Lengths lengths_of(const Factors& factors, const DegreeLaw& weight, std::span<const Index> degrees,
                   std::span<const float> scale) {
  return parallel_sum(
      factors.rows, kRowsPerBlock, Lengths(),
      [&](const Block& block, Lengths& sum) {
        for (Offset r = block.begin; r < block.end; ++r) {
          double square = 0.0;
          for (const float value : factors.view().row(r)) square += double{value} * value;
          const double factor = scale.empty() ? 1.0 : double{scale[at(r)]};
          sum.longest = std::max(sum.longest, factor * std::sqrt(square));
          sum.weighted += weight(degrees[at(r)]) * square;
        }
      },
      [](Lengths& total, const Lengths& part) {
        total.longest = std::max(total.longest, part.longest);
        total.weighted += part.weighted;
      });
}

double largest_of(std::span<const float> values, double otherwise) {
  double most = values.empty() ? otherwise : 0.0;
  for (const float value : values) most = std::max(most, std::abs(double{value}));
  return most;
}

// Σ_{y∈I_x} ρ_x ρ_y q_y, what a history pulls its user by
void check_pull(const PartReader& reader, const Model& model, double longest_item) {
  const double pull = largest(model.law.users.pull, model.item_count()) *
                      largest(model.law.items.pull, model.user_count());
  reader.check(pull * std::max(1.0, longest_item) * model.item_count() <= kLargest,
               "the laws 'pull' of its declaration pull a user by more than 10^38");
}

// score_xy = scale_y · ( p_x·q_y + links ) + bias_y
void check_sums(const PartReader& reader, const Model& model) {
  const ItemScaling scaling = item_scaling(model);
  const double bias = largest_of(scaling.bias, 0.0);
  reader.check(bias <= kLargest, "its items have lengths whose squares pass 10^38");
  const Lengths users = lengths_of(model.P, model.law.users.weight, row_degrees(model.seen), {});
  const Lengths items =
      lengths_of(model.Q, model.law.items.weight, column_degrees(model.seen), scaling.scale);
  check_pull(reader, model, items.longest);
  reader.check(users.weighted <= kLargest,
               "the squares of its tensor 'user_vectors' sum to more than 10^38");
  reader.check(items.weighted <= kLargest,
               "the squares of its tensor 'item_vectors' sum to more than 10^38");
  reader.check(users.longest * items.longest + bias <= kLargest,
               "scores of its tensors 'user_vectors' and 'item_vectors' can pass 10^38");
  const double links = largest_of(model.links.values, 0.0) * largest_of(scaling.scale, 1.0);
  reader.check(links * model.item_count() <= kLargest,
               "scores with its tensor 'links.values' can pass 10^38");
}

}  // namespace

void check_numbers(const PartReader& reader, const Model& model) {
  check_side(reader, "users", model.law.users, model.item_count());
  check_side(reader, "items", model.law.items, model.user_count());
  check_weighted_ridge(reader, model);
  check_blend(reader, model);
  check_sums(reader, model);
}

}  // namespace sqmax
