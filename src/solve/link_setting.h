// LinkSetting: what the links to every item share.                              docs/links.md
#pragma once

#include <vector>

#include "sqmax/solve/links.h"

namespace sqmax {

/// Sums over the users x of each item z, without those who are not asked.
class LinkSetting {
 public:
  /// All of them must outlive it.
  LinkSetting(const Problem& problem, ConstMatrix P, ConstMatrix Q, const LinkOptions& options);

  bool is_asked(Index x) const { return problem.by_user.row_size(x) <= kLongestHistory; }

  const Problem& problem;
  const ConstMatrix P;
  const ConstMatrix Q;
  const LinkOptions& options;
  std::vector<float> weight;       ///< u_x, 0 for those who are not asked
  std::vector<double> weight_sum;  ///< Σ_{x∋z} u_x
  std::vector<double> lean_sum;    ///< Σ_{x∋z} a_x
  Matrix h;                        ///< Σ_{x∋z} u_x p_x

 private:
  void sum_users(Index z);
};

}  // namespace sqmax
