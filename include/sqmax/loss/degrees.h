// Degrees: how many users and items have how many interactions.                docs/notation.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/core/quadratic_law.h"
#include "sqmax/data/csr.h"

namespace sqmax {

struct DegreeCount {
  Index degree = 0;
  Offset rows = 0;  ///< that have it
};

/// The degrees of one side, without saying which row has which: small, whatever the number of rows.
class DegreeCounts {
 public:
  DegreeCounts() = default;
  explicit DegreeCounts(std::span<const Index> degrees);
  /// Each degree once.
  explicit DegreeCounts(std::vector<DegreeCount> counts);

  Offset rows() const;
  double interactions() const;
  /// Of the rows that have any interaction.
  double mean() const;
  /// Σ law(n) over all rows.
  double sum(const DegreeLaw& law) const;

 private:
  std::vector<DegreeCount> counts_;  // by degree
};

/// All that a declaration may know of the interactions.
struct Degrees {
  DegreeCounts users;
  DegreeCounts items;
};

Degrees degrees_of(CsrView interactions);

/// The degree of every user and of every item.
struct RowDegrees {
  std::vector<Index> users;
  std::vector<Index> items;
};

RowDegrees row_degrees_of(CsrView interactions);
Degrees degrees_of(const RowDegrees& rows);

}  // namespace sqmax
