// TinyData: independent coin flips, the last row and column left empty.
#include "tests/support/tiny_data.h"

namespace sqmax {

Csr csr_of(Index cols, const std::vector<std::vector<Index>>& rows) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (const auto& row : rows) {
    indices.insert(indices.end(), row.begin(), row.end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {static_cast<Index>(rows.size()), cols, std::move(offsets), std::move(indices)};
}

TinyData::TinyData(Index users, Index items, double density, std::uint64_t seed)
    : random(seed, Purpose::Test) {
  std::vector<std::vector<Index>> rows(at(users));
  for (Index x = 0; x + 1 < users; ++x) {
    for (Index y = 0; y + 1 < items; ++y) {
      if (random.uniform() < density) rows[at(x)].push_back(y);
    }
  }
  by_user = csr_of(items, rows);
  by_item = transpose(by_user);
}

Matrix TinyData::factors(Offset rows, Offset cols, double spread) {
  Matrix m(rows, cols);
  for (float& value : m.values()) value = static_cast<float>(spread * random.normal());
  return m;
}

}  // namespace sqmax
