// edits_to_begin(): the usual table, of which three rows are kept.
#include "serve/edits.h"

#include <algorithm>
#include <array>

namespace sqmax {
namespace {

constexpr std::size_t kLongest = 64;  // of what is compared

}  // namespace

//   D(i, j) = min { D(i−1, j) + 1, D(i, j−1) + 1, D(i−1, j−1) + [a_i ≠ b_j],
//                   D(i−2, j−2) + 1 if a_i a_{i−1} = b_{j−1} b_j },   result min_j D(|a|, j)
int edits_to_begin(std::string_view typed, std::string_view word, int limit) {
  typed = typed.substr(0, kLongest);
  word = word.substr(0, std::min(kLongest, typed.size() + static_cast<std::size_t>(limit)));
  std::array<std::array<int, kLongest + 1>, 3> rows = {};
  for (std::size_t j = 0; j <= word.size(); ++j) rows[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= typed.size(); ++i) {
    const auto& before = rows[(i + 1) % 3];  // row i − 2
    const auto& above = rows[(i - 1) % 3];
    auto& row = rows[i % 3];
    row[0] = static_cast<int>(i);
    int least = row[0];
    for (std::size_t j = 1; j <= word.size(); ++j) {
      row[j] = std::min(
          {above[j] + 1, row[j - 1] + 1, above[j - 1] + (typed[i - 1] == word[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && typed[i - 1] == word[j - 2] && typed[i - 2] == word[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  const auto& last = rows[typed.size() % 3];
  const int least =
      *std::min_element(last.begin(), last.begin() + static_cast<int>(word.size()) + 1);
  return std::min(least, limit + 1);
}

}  // namespace sqmax
