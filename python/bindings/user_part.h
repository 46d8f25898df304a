// UserPart: some users of a separable loss, as one step of a job on many machines sees them.
// docs/spark.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/data/csr.h"
#include "sqmax/rank/item_scorer.h"
#include "sqmax/rank/top_k.h"
#include "sqmax/solve/sweep_parts.h"

namespace sqmax::python {

/// Rows of an item range, or of those alone that the part has anything for.
struct PushedRows {
  std::vector<Index> rows;  ///< empty: all of the range
  Matrix values;
};

class UserPart {
 public:
  /// `item_weight` is Σ_y v_y of all items. The law must be separable, with one pull for all items.
  UserPart(Csr rows, const QuadraticLaw& law, double item_weight);

  Index users() const { return rows_.rows; }
  const Csr& rows() const { return rows_; }
  ConstMatrix vectors() const { return P_; }

  /// P += the pulls of items begin, begin + 1, …, whose vectors these are.
  void pull(Index begin, ConstMatrix Q);
  /// Pulls of all items become vectors.
  void solve(const SideSums& items);

  SideSums sums() const { return sums_of(terms_, 0, P_); }
  /// Σ_x ρ_x p_x over the users x of each item of the range.
  PushedRows push(Index begin, Index end) const;

  /// Best items of each user; those that the user has can be left out.
  void best_items(const ItemScorer& items, Index k, bool leave_out, const OnRanking& heard) const;
  /// Best users of each of these items, as positions in this part, by p·q.
  void best_users(Index begin, ConstMatrix Q, Index k, bool leave_out,
                  const OnRanking& heard) const;

 private:
  Csr columns(Index begin, Index end) const;

  Csr rows_;
  SideTerms terms_;
  std::vector<float> pull_;  // ρ_x times that of every item
  double target_;
  Matrix P_;
};

}  // namespace sqmax::python
