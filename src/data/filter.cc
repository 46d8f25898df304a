// Filters by peeling: whoever falls below its minimum takes its pairs along, until nobody does.
#include "sqmax/data/filter.h"

#include <algorithm>

#include "core/fail.h"
#include "core/wording.h"

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

void peel(Side& users, Side& items) {
  users.doom_rare();
  items.doom_rare();
  if (users.doomed.empty() && items.doomed.empty()) return;
  const Csr by_item = transpose(users.ties);
  items.ties = by_item;
  while (!users.doomed.empty() || !items.doomed.empty()) {
    cut_ties(users, items);
    cut_ties(items, users);
  }
}

// Old position → new one, or -1.
std::vector<Index> renumbering(std::span<const Index> kept, Index count) {
  std::vector<Index> renumbered(at(count), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) renumbered[at(kept[i])] = static_cast<Index>(i);
  return renumbered;
}

void keep_only(Pairs& pairs, const Kept& kept) {
  const std::vector<Index> item_of = renumbering(kept.items, pairs.items);
  std::vector<Offset> offsets = {0};
  offsets.reserve(kept.users.size() + 1);
  std::size_t end = 0;
  for (const Index user : kept.users) {
    for (Offset i = pairs.offsets[at(user)]; i < pairs.offsets[at(user) + 1]; ++i) {
      const Index item = item_of[at(pairs.indices[at(i)])];
      if (item < 0) continue;
      pairs.indices[end] = item;
      if (!pairs.times.empty()) pairs.times[end] = pairs.times[at(i)];
      if (!pairs.parts.empty()) pairs.parts[end] = pairs.parts[at(i)];
      ++end;
    }
    offsets.push_back(static_cast<Offset>(end));
  }
  pairs.indices.resize(end);
  if (!pairs.times.empty()) pairs.times.resize(end);
  if (!pairs.parts.empty()) pairs.parts.resize(end);
  pairs.offsets = std::move(offsets);
  pairs.users = static_cast<Index>(kept.users.size());
  pairs.items = static_cast<Index>(kept.items.size());
}

std::string name_of(const FilterOptions& options) {
  if (options.min_user == options.min_item) return fmt::format("--kcore {}", options.min_user);
  return fmt::format("--min-user {} with --min-item {}", options.min_user, options.min_item);
}

}  // namespace

Kept filter_pairs(Pairs& pairs, const FilterOptions& options) {
  if (options.min_user < 0 || options.min_item < 0) {
    fail(Errc::BadOption, "--min-user and --min-item must not be negative; {} and {} were given.",
         options.min_user, options.min_item);
  }
  if (pairs.size() == 0) fail(Errc::BadInput, "There are no interactions to work with.");
  Side users{pairs.view(), row_degrees(pairs.view()), std::max(options.min_user, 1), {}};
  Side items{{}, column_degrees(pairs.view()), std::max(options.min_item, 1), {}};
  peel(users, items);
  Kept kept{users.kept(), items.kept()};
  if (kept.users.empty()) {
    fail(Errc::BadInput, "{} leaves 0 of {} ({}, {}): nothing remains; lower it.", name_of(options),
         number_of(pairs.size(), "interaction", "interactions"),
         number_of(pairs.users, "user", "users"), number_of(pairs.items, "item", "items"));
  }
  const bool all = kept.users.size() == at(pairs.users) && kept.items.size() == at(pairs.items);
  if (!all) keep_only(pairs, kept);
  return kept;
}

}  // namespace sqmax
