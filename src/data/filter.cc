// Filters by peeling: whoever falls below its minimum takes its pairs along, until nobody does.
#include "sqmax/data/filter.h"

#include <algorithm>

#include "core/fail.h"
#include "core/wording.h"
#include "data/column_builders.h"

namespace sqmax {
namespace {

/// Users or items: what each is tied to, how many of those ties are left.
struct Side {
  CsrView ties;
  std::vector<Index> degrees;
  Index least = 1;
  std::vector<Index> doomed;  ///< below the minimum, ties not yet cut

  void doom_rare() {
    for (std::size_t p = 0; p < degrees.size(); ++p) {
      if (degrees[p] < least) doomed.push_back(static_cast<Index>(p));
    }
  }

  /// Ties between those that stay.
  Offset ties_left() const {
    Offset sum = 0;
    for (const Index degree : degrees) sum += degree >= least ? degree : 0;
    return sum;
  }

  std::vector<Index> kept() const {
    std::vector<Index> positions;
    for (std::size_t p = 0; p < degrees.size(); ++p) {
      if (degrees[p] >= least) positions.push_back(static_cast<Index>(p));
    }
    return positions;
  }
};

// A position is doomed once: when its degree passes from the minimum to below.
void cut_ties(Side& side, Side& other) {
  while (!side.doomed.empty()) {
    const Index position = side.doomed.back();
    side.doomed.pop_back();
    for (const Index tied : side.ties.row(position)) {
      if (other.degrees[at(tied)]-- == other.least) other.doomed.push_back(tied);
    }
  }
}

void peel_by_ties(Side& users, Side& items) {
  const Csr by_item = transpose(users.ties);
  items.ties = by_item;
  while (!users.doomed.empty() || !items.doomed.empty()) {
    cut_ties(users, items);
    cut_ties(items, users);
  }
}

// Without the ties of the items: all users are gone through until nobody falls any more.
void peel_in_passes(Side& users, Side& items) {
  const auto stays = [&](Index item) { return items.degrees[at(item)] >= items.least; };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t u = 0; u < users.degrees.size(); ++u) {
      if (users.degrees[u] == 0) continue;
      const auto row = users.ties.row(static_cast<Index>(u));
      const auto left = static_cast<Index>(std::count_if(row.begin(), row.end(), stays));
      const bool falls = left < users.least;
      changed |= falls || left != users.degrees[u];
      users.degrees[u] = falls ? 0 : left;
      if (!falls) continue;
      for (const Index item : row) --items.degrees[at(item)];
    }
  }
}

void peel(Side& users, Side& items, const Workspace& workspace) {
  users.doom_rare();
  items.doom_rare();
  if (users.doomed.empty() && items.doomed.empty()) return;
  const std::size_t ties = users.ties.indices.size() * sizeof(Index);
  if (const auto token = workspace.take(ties, Workspace::Use::LookUp)) {
    peel_by_ties(users, items);
  } else {
    peel_in_passes(users, items);
  }
}

// Old position → new one, or -1.
std::vector<Index> renumbering(std::span<const Index> kept, Index count) {
  std::vector<Index> renumbered(at(count), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) renumbered[at(kept[i])] = static_cast<Index>(i);
  return renumbered;
}

Pairs only(const Pairs& pairs, const Kept& kept, PairColumns& left) {
  const std::vector<Index> item_of = renumbering(kept.items, pairs.items);
  for (const Index user : kept.users) {
    for (auto i = at(pairs.offsets[at(user)]); i < at(pairs.offsets[at(user) + 1]); ++i) {
      const Index item = item_of[at(pairs.indices[i])];
      if (item < 0) continue;
      left.indices.push_back(item);
      if (!pairs.times.empty()) left.times.push_back(pairs.times[i]);
      if (!pairs.parts.empty()) left.parts.push_back(pairs.parts[i]);
    }
    left.offsets.push_back(static_cast<Offset>(left.indices.size()));
  }
  return left.finish(static_cast<Index>(kept.users.size()), static_cast<Index>(kept.items.size()));
}

std::string name_of(const FilterOptions& options) {
  if (options.min_user == options.min_item) return fmt::format("--kcore {}", options.min_user);
  return fmt::format("--min-user {} with --min-item {}", options.min_user, options.min_item);
}

}  // namespace

Kept filter_pairs(Pairs& pairs, const FilterOptions& options, const Workspace& workspace) {
  if (options.min_user < 0 || options.min_item < 0) {
    fail(Errc::BadOption, "--min-user and --min-item must not be negative; {} and {} were given.",
         options.min_user, options.min_item);
  }
  if (pairs.size() == 0) fail(Errc::BadInput, "There are no interactions to work with.");
  Side users{pairs.view(), row_degrees(pairs.view()), std::max<Index>(options.min_user, 1), {}};
  Side items{{}, column_degrees(pairs.view()), std::max<Index>(options.min_item, 1), {}};
  peel(users, items, workspace);
  Kept kept{users.kept(), items.kept()};
  if (kept.users.empty()) {
    fail(Errc::BadInput, "{} leaves 0 of {} ({}, {}): nothing remains; lower it.", name_of(options),
         number_of(pairs.size(), "interaction", "interactions"),
         number_of(pairs.users, "user", "users"), number_of(pairs.items, "item", "items"));
  }
  const bool all = kept.users.size() == at(pairs.users) && kept.items.size() == at(pairs.items);
  if (all) return kept;
  PairColumns left(workspace);
  left.offsets.reserve(kept.users.size() + 1);
  left.indices.reserve(at(users.ties_left()));
  pairs = only(pairs, kept, left);
  return kept;
}

}  // namespace sqmax
