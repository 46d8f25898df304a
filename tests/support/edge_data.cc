// EdgeData: one of everything, all of everything, and something ordinary beside them.
#include "tests/support/edge_data.h"

#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

std::vector<std::vector<Index>> all_ones(Index users, Index items) {
  std::vector<std::vector<Index>> rows(at(users));
  for (auto& row : rows) {
    for (Index y = 0; y < items; ++y) row.push_back(y);
  }
  return rows;
}

}  // namespace

std::vector<EdgeData> edge_data() {
  const TinyData tiny(9, 7, 0.4, 5);
  std::vector<std::vector<Index>> everybody(at(9));
  std::vector<std::vector<Index>> twins(at(8));
  for (Index x = 0; x < 9; ++x) {
    everybody[at(x)] = {0};
    if (x % 2 == 1) everybody[at(x)].push_back(1 + x / 2);
  }
  auto everything = everybody;
  everything[3] = {0, 1, 2, 3, 4, 5, 6};
  for (Index x = 0; x < 8; ++x)
    twins[at(x)] = x < 6 ? std::vector<Index>{1, 2} : std::vector<Index>{0};
  return {{"one user", csr_of(6, {{0, 2, 3}})},
          {"one item", csr_of(1, {{0}, {}, {0}, {0}})},
          {"one pair", csr_of(1, {{0}})},
          {"all ones", csr_of(5, all_ones(7, 5))},
          {"an item that everybody has", csr_of(7, everybody)},
          {"a user with everything", csr_of(7, everything)},
          {"users that are alike", csr_of(5, twins)},
          {"ordinary", tiny.by_user}};
}

}  // namespace sqmax
