// Distinct pairs: a counting sort by user, then every row on its own.
#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "sqmax/core/parallel.h"
#include "sqmax/data/filter.h"

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr Offset kUsersPerBlock = 2048;

std::vector<Offset> offsets_of(std::span<const Index> users, Index count) {
  std::vector<Offset> offsets(at(count) + 1);
  for (const Index user : users) ++offsets[at(user) + 1];
  for (std::size_t u = 1; u < offsets.size(); ++u) offsets[u] += offsets[u - 1];
  return offsets;
}

// Stable; an empty column stays empty.
template <class T>
std::vector<T> by_user(std::vector<T> values, std::span<const Index> users,
                       std::span<const Offset> offsets) {
  if (values.empty() || std::is_sorted(users.begin(), users.end())) return values;
  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted[at(next[at(users[i])]++)] = values[i];
  return sorted;
}

struct Entry {
  Index item;
  Part part;
  std::int64_t time;
};

// One user's stretch of the columns. Rows shrink in place; the gaps are closed afterwards.
class Row {
 public:
  Row(Pairs& pairs, Index user)
      : pairs_(pairs),
        user_(user),
        begin_(pairs.offsets[at(user)]),
        end_(pairs.offsets[at(user) + 1]) {}

  /// Sorts the row, drops repetitions and returns how many items remain.
  Offset make_distinct(std::vector<Entry>& scratch, Repetition& repetition) {
    const auto items = std::span(pairs_.indices).subspan(at(begin_), at(end_ - begin_));
    if (std::adjacent_find(items.begin(), items.end(), std::greater_equal<>()) == items.end()) {
      return end_ - begin_;
    }
    gather(scratch);
    std::sort(scratch.begin(), scratch.end(), [](const Entry& a, const Entry& b) {
      return std::tuple(a.item, a.part, b.time) < std::tuple(b.item, b.part, a.time);
    });
    count(scratch, repetition);
    const auto last = std::unique(scratch.begin(), scratch.end(), same_item);
    scratch.erase(last, scratch.end());
    scatter(scratch);
    return static_cast<Offset>(scratch.size());
  }

 private:
  static bool same_item(const Entry& a, const Entry& b) { return a.item == b.item; }

  void gather(std::vector<Entry>& scratch) const {
    scratch.clear();
    for (Offset i = begin_; i < end_; ++i) {
      scratch.push_back({pairs_.indices[at(i)],
                         pairs_.parts.empty() ? Part::Train : pairs_.parts[at(i)],
                         pairs_.times.empty() ? 0 : pairs_.times[at(i)]});
    }
  }

  void scatter(std::span<const Entry> entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      pairs_.indices[at(begin_) + i] = entries[i].item;
      if (!pairs_.parts.empty()) pairs_.parts[at(begin_) + i] = entries[i].part;
      if (!pairs_.times.empty()) pairs_.times[at(begin_) + i] = entries[i].time;
    }
  }

  void count(std::span<const Entry> entries, Repetition& repetition) const {
    bool leaks = false;
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const Repetition::Example here{user_, entries[i].item};
      if (!same_item(entries[i - 1], entries[i])) {
        leaks = false;
        continue;
      }
      if (repetition.duplicates++ == 0) repetition.duplicate = here;
      if (entries[i - 1].part == entries[i].part || std::exchange(leaks, true)) continue;
      if (repetition.leaks++ == 0) repetition.leak = here;
    }
  }

  Pairs& pairs_;
  Index user_;
  Offset begin_;
  Offset end_;
};

void add(Repetition& total, const Repetition& more) {
  if (total.duplicates == 0) total.duplicate = more.duplicate;
  if (total.leaks == 0) total.leak = more.leak;
  total.duplicates += more.duplicates;
  total.leaks += more.leaks;
}

template <class T>
void close_gaps(std::vector<T>& values, std::span<const Offset> offsets,
                std::span<const Offset> sizes) {
  if (values.empty()) return;
  auto end = values.begin();
  for (std::size_t u = 0; u < sizes.size(); ++u) {
    const auto begin = values.begin() + offsets[u];
    end = begin == end ? begin + sizes[u] : std::copy(begin, begin + sizes[u], end);
  }
  values.erase(end, values.end());
}

}  // namespace

Pairs distinct_pairs(Interactions& interactions, Repetition& repetition) {
  Pairs pairs;
  pairs.users = interactions.user_ids.size();
  pairs.items = interactions.item_ids.size();
  {
    const std::vector<Index> users = std::exchange(interactions.users, {});
    pairs.offsets = offsets_of(users, pairs.users);
    const auto sorted = [&](auto& column) {
      return by_user(std::exchange(column, {}), users, pairs.offsets);
    };
    pairs.indices = sorted(interactions.items);
    pairs.times = sorted(interactions.times);
    pairs.parts = sorted(interactions.parts);
  }
  std::vector<Offset> sizes(at(pairs.users));
  const auto distinct_rows = [&](const Block& block, Repetition& found) {
    std::vector<Entry> scratch;
    for (Offset u = block.begin; u < block.end; ++u) {
      sizes[at(u)] = Row(pairs, static_cast<Index>(u)).make_distinct(scratch, found);
    }
  };
  repetition = parallel_sum(pairs.users, kUsersPerBlock, Repetition{}, distinct_rows, add);
  if (repetition.duplicates == 0) return pairs;
  close_gaps(pairs.indices, pairs.offsets, sizes);
  close_gaps(pairs.times, pairs.offsets, sizes);
  close_gaps(pairs.parts, pairs.offsets, sizes);
  for (std::size_t u = 0; u < sizes.size(); ++u) pairs.offsets[u + 1] = pairs.offsets[u] + sizes[u];
  return pairs;
}

}  // namespace sqmax
