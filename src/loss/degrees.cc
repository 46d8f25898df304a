// Degrees: counts of rows by degree, and sums over them.
#include "sqmax/loss/degrees.h"

#include <algorithm>
#include <utility>

namespace sqmax {
namespace {

std::vector<DegreeCount> counted(std::span<const Index> degrees) {
  std::vector<Index> sorted(degrees.begin(), degrees.end());
  std::ranges::sort(sorted);
  std::vector<DegreeCount> counts;
  for (const Index degree : sorted) {
    if (counts.empty() || counts.back().degree != degree) counts.push_back({degree, 0});
    ++counts.back().rows;
  }
  return counts;
}

}  // namespace

DegreeCounts::DegreeCounts(std::span<const Index> degrees) : counts_(counted(degrees)) {}

DegreeCounts::DegreeCounts(std::vector<DegreeCount> counts) : counts_(std::move(counts)) {
  std::ranges::sort(counts_, {}, &DegreeCount::degree);
}

Offset DegreeCounts::rows() const {
  Offset rows = 0;
  for (const DegreeCount& count : counts_) rows += count.rows;
  return rows;
}

double DegreeCounts::interactions() const {
  double total = 0.0;
  for (const auto& [degree, rows] : counts_) total += static_cast<double>(rows) * degree;
  return total;
}

double DegreeCounts::mean() const {
  Offset active = 0;
  for (const auto& [degree, rows] : counts_) active += degree > 0 ? rows : 0;
  return interactions() / static_cast<double>(std::max<Offset>(active, 1));
}

double DegreeCounts::sum(const DegreeLaw& law) const {
  double sum = 0.0;
  for (const auto& [degree, rows] : counts_) sum += static_cast<double>(rows) * law(degree);
  return sum;
}

Degrees degrees_of(CsrView interactions) {
  return {.users = DegreeCounts(row_degrees(interactions)),
          .items = DegreeCounts(column_degrees(interactions))};
}

}  // namespace sqmax
