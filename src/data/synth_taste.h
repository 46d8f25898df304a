// Taste: which items a synthetic user has. A mixture of popularity and a few of its topics.
//
//   P(item | user) = a₀ pop(item) + Σ_k a_k φ_{t_k(user)}(item)        rank ≤ topics + 1
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sqmax/core/random.h"
#include "sqmax/data/synth.h"

#include "data/alias_table.h"

namespace sqmax {

/// The laws that all users share: popularity, and one law per topic. Every item is in two topics.
class Catalogue {
 public:
  explicit Catalogue(const SynthOptions& options);

  Index items() const { return items_; }
  Index topics() const { return static_cast<Index>(begins_.size()) - 2; }
  /// Law 0 is popularity; 1 … topics() are the topics'.
  std::span<const AliasSlice> law(Index number) const;

 private:
  Index items_;
  std::vector<AliasSlice> slices_;
  std::vector<std::size_t> begins_;  ///< law → its first slice
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
