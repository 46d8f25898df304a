// Taste: which items a synthetic user has. A mixture of popularity and a few topics.
//
//   P(item | user) = a₀ pop(item) + Σ_k a_k φ_{t_k(user)}(item)        rank ≤ topics
//
// Topics have topics within them: a binary tree whose root is everything. A user may like a broad
// one or a narrow one. So the directions that divide the catalogue coarsely are the strongest and
// the fewest, and singular values fall steadily, as those of real data do.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sqmax/core/random.h"
#include "sqmax/data/synth.h"

#include "data/alias_table.h"

namespace sqmax {

/// The laws that all users share: popularity within each topic. Level 0 is one topic, everything;
/// each topic of a level is two of the next one, and every item is in one topic of each level.
class Catalogue {
 public:
  explicit Catalogue(const SynthOptions& options);

  Index items() const { return items_; }
  int levels() const { return levels_; }  ///< below the root
  std::span<const AliasSlice> law(int level, std::size_t topic) const;

 private:
  Index items_;
  int levels_;
  std::vector<AliasSlice> slices_;
  std::vector<std::size_t> begins_;  ///< topic, level by level → its first slice
};

/// Draws users. Keeps scratch memory from user to user.
class Taste {
 public:
  explicit Taste(const Catalogue& catalogue);

  /// Appends `count` distinct items, ascending.
  void draw_user(Random& random, Index count, std::vector<Index>& items);

 private:
  struct Ingredient {
    double share = 0.0;
    std::span<const AliasSlice> law;
  };
  static constexpr std::size_t kIngredients = 4;

  void choose_laws(Random& random);
  Index draw_item(Random& random) const;
  bool take(Index item);
  void race(Random& random, std::size_t missing, std::vector<Index>& items);

  const Catalogue& catalogue_;
  std::array<Ingredient, kIngredients> laws_;
  std::vector<std::uint64_t> taken_;  ///< a bit per item
};

}  // namespace sqmax
