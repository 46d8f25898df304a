// Interactions made by hand or at random, for the tests of the data module.
#pragma once

#include <string>
#include <vector>

#include "sqmax/core/random.h"
#include "sqmax/data/csr.h"
#include "sqmax/data/interactions.h"

namespace sqmax::testing_data {

struct Event {
  Index user;
  Index item;
  std::int64_t time = 0;
  Part part = Part::Train;
};

enum class Columns { Plain, Times, Parts, Both };

/// Ids are "u0", "u1", … and "i0", "i1", …
inline Interactions interactions(const std::vector<Event>& events, Columns columns, Index users,
                                 Index items) {
  IdMap user_ids;
  IdMap item_ids;
  for (Index u = 0; u < users; ++u) user_ids.insert("u" + std::to_string(u));
  for (Index i = 0; i < items; ++i) item_ids.insert("i" + std::to_string(i));
  std::vector<Index> left;
  std::vector<Index> right;
  std::vector<std::int64_t> times;
  std::vector<Part> parts;
  for (const Event& event : events) {
    left.push_back(event.user);
    right.push_back(event.item);
    if (columns == Columns::Times || columns == Columns::Both) times.push_back(event.time);
    if (columns == Columns::Parts || columns == Columns::Both) parts.push_back(event.part);
  }
  return {.users = left,
          .items = right,
          .times = times,
          .parts = parts,
          .user_ids = user_ids.table(),
          .item_ids = item_ids.table()};
}

/// Skewed on both sides, with repetitions.
inline std::vector<Event> random_events(std::uint64_t seed, Index users, Index items, int count) {
  Random random(seed, Purpose::Test);
  const auto skewed = [&random](Index bound) {
    return static_cast<Index>(random.uniform() * random.uniform() * bound);
  };
  std::vector<Event> events;
  for (int e = 0; e < count; ++e) {
    events.push_back({skewed(users), skewed(items), static_cast<std::int64_t>(random.below(50)),
                      static_cast<Part>(random.below(3))});
  }
  return events;
}

inline std::vector<Index> row(CsrView matrix, Index r) {
  const auto items = matrix.row(r);
  return {items.begin(), items.end()};
}

}  // namespace sqmax::testing_data
