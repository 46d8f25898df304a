// A counting sort by user, then every row on its own.
#include "data/distinct_rows.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "sqmax/core/parallel.h"

#include "data/ascending.h"

namespace sqmax {
namespace {

constexpr Offset kUsersPerBlock = 2048;

// Stable; an empty column stays empty. Without users the order is right already.
template <class T>
std::vector<T> by_user(const Array<T>& values, std::span<const Index> users, Index first,
                       std::span<const Offset> offsets) {
  if (values.empty() || users.empty()) return {values.begin(), values.end()};
  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    sorted[at(next[at(users[i] - first)]++)] = values[i];
  }
  return sorted;
}

struct Entry {
  Index item;
  Part part;
  std::int64_t time;
};

/// Memory for the work on one row.
struct RowScratch {
  std::vector<Entry> entries;
  std::vector<Index> items;
};

// One user's stretch of the columns. BucketRows shrink in place; the gaps are closed afterwards.
class Row {
 public:
  Row(BucketRows& rows, Index user, std::size_t place)
      : rows_(rows), user_(user), begin_(rows.offsets[place]), end_(rows.offsets[place + 1]) {}

  /// Sorts the row, drops repetitions and returns how many items remain.
  Offset make_distinct(RowScratch& scratch, Repetition& repetition) {
    if (is_distinct()) return end_ - begin_;
    if (rows_.times.empty() && rows_.parts.empty()) {
      sort_ascending(items(), scratch.items);
      if (is_distinct()) return end_ - begin_;
    }
    std::vector<Entry>& entries = scratch.entries;
    gather(entries);
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tuple(a.item, a.part, b.time) < std::tuple(b.item, b.part, a.time);
    });
    count(entries, repetition);
    const auto last = std::unique(entries.begin(), entries.end(), same_item);
    entries.erase(last, entries.end());
    scatter(entries);
    return static_cast<Offset>(entries.size());
  }

 private:
  std::span<Index> items() const {
    return std::span(rows_.indices).subspan(at(begin_), at(end_ - begin_));
  }

  bool is_distinct() const {
    const auto row = items();
    return std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
  }

  static bool same_item(const Entry& a, const Entry& b) { return a.item == b.item; }

  void gather(std::vector<Entry>& scratch) const {
    scratch.clear();
    for (Offset i = begin_; i < end_; ++i) {
      scratch.push_back({rows_.indices[at(i)],
                         rows_.parts.empty() ? Part::Train : rows_.parts[at(i)],
                         rows_.times.empty() ? 0 : rows_.times[at(i)]});
    }
  }

  void scatter(std::span<const Entry> entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      rows_.indices[at(begin_) + i] = entries[i].item;
      if (!rows_.parts.empty()) rows_.parts[at(begin_) + i] = entries[i].part;
      if (!rows_.times.empty()) rows_.times[at(begin_) + i] = entries[i].time;
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

  BucketRows& rows_;
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

/// The rows of a bucket, user after user.
BucketRows sorted_rows(Bucket& bucket, std::span<const Offset> all_offsets) {
  const auto bounds = all_offsets.subspan(at(bucket.first), at(bucket.last - bucket.first) + 1);
  BucketRows rows{
      .offsets = {bounds.begin(), bounds.end()}, .indices = {}, .times = {}, .parts = {}};
  for (Offset& offset : rows.offsets) offset -= bounds.front();
  Interactions& columns = bucket.columns;
  if (is_by_user(columns.users.span())) columns.users = {};
  const auto sorted = [&](auto& column) {
    return by_user(std::exchange(column, {}), columns.users.span(), bucket.first, rows.offsets);
  };
  rows.indices = sorted(columns.items);
  rows.times = sorted(columns.times);
  rows.parts = sorted(columns.parts);
  columns.users = {};
  return rows;
}

}  // namespace

bool is_by_user(std::span<const Index> users) { return std::is_sorted(users.begin(), users.end()); }

BucketRows distinct_rows(Bucket bucket, std::span<const Offset> all_offsets,
                         Repetition& repetition) {
  BucketRows rows = sorted_rows(bucket, all_offsets);
  std::vector<Offset> sizes(at(bucket.last - bucket.first));
  const auto make_distinct = [&](const Block& block, Repetition& found) {
    RowScratch scratch;
    for (Offset u = block.begin; u < block.end; ++u) {
      const auto user = static_cast<Index>(bucket.first + u);
      sizes[at(u)] = Row(rows, user, at(u)).make_distinct(scratch, found);
    }
  };
  const auto found =
      parallel_sum(std::ssize(sizes), kUsersPerBlock, Repetition{}, make_distinct, add);
  add(repetition, found);
  if (found.duplicates == 0) return rows;
  close_gaps(rows.indices, rows.offsets, sizes);
  close_gaps(rows.times, rows.offsets, sizes);
  close_gaps(rows.parts, rows.offsets, sizes);
  for (std::size_t u = 0; u < sizes.size(); ++u) rows.offsets[u + 1] = rows.offsets[u] + sizes[u];
  return rows;
}

}  // namespace sqmax
