// Degrees: counts of rows by degree, and sums over them.
#include "sqmax/loss/degrees.h"

#include <algorithm>
#include <utility>

namespace sqmax {
namespace {

std::vector<DegreeCount> counted(std::span<const Index> degrees) {
  if (degrees.empty()) return {};
  std::vector<Offset> rows(at(std::ranges::max(degrees)) + 1);
  for (const Index degree : degrees) ++rows[at(degree)];
  std::vector<DegreeCount> counts;
  for (std::size_t degree = 0; degree < rows.size(); ++degree) {
    if (rows[degree] > 0) counts.push_back({static_cast<Index>(degree), rows[degree]});
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

Degrees degrees_of(CsrView interactions) { return degrees_of(row_degrees_of(interactions)); }

RowDegrees row_degrees_of(CsrView interactions) {
  return {.users = row_degrees(interactions), .items = column_degrees(interactions)};
}

Degrees degrees_of(const RowDegrees& rows) {
  return {.users = DegreeCounts(rows.users), .items = DegreeCounts(rows.items)};
}

}  // namespace sqmax
