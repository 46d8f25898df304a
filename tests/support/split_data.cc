// split_data: one lot per pair.
#include "tests/support/split_data.h"

#include "tests/support/numbered.h"
#include "tests/support/tiny_data.h"

namespace sqmax {

Dataset split_data(std::uint64_t seed) {
  Random random(seed, Purpose::Test);
  std::vector<std::vector<Index>> parts[3];
  for (auto& part : parts) part.resize(40);
  for (Index x = 0; x < 40; ++x) {
    for (Index y = 0; y < 30; ++y) {
      if (random.uniform() > 0.3) continue;
      const double lot = random.uniform();
      parts[lot < 0.7 ? 0 : lot < 0.85 ? 1 : 2][at(x)].push_back(y);
    }
  }
  return {.users = numbered(40, "u"),
          .items = numbered(30, "i"),
          .train = csr_of(30, parts[0]),
          .valid = csr_of(30, parts[1]),
          .test = csr_of(30, parts[2]),
          .history = empty_csr(40, 30)};
}

}  // namespace sqmax
