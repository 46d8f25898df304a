// Recommender: a model ready to answer: top items of anybody, items and users like others.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/model/model.h"
#include "sqmax/rank/top_k.h"

namespace sqmax {

struct RecommendOptions {
  Index k = 10;
  std::vector<Index> only;     ///< candidates, if not empty: distinct, ascending
  std::vector<Index> exclude;  ///< never recommended: distinct, ascending
  bool allow_seen = false;     ///< recommend again what a user already has
};

class Recommender {
 public:
  /// `model` must outlive it.
  explicit Recommender(const Model& model);
  ~Recommender();
  Recommender(const Recommender&) = delete;
  Recommender& operator=(const Recommender&) = delete;

  /// Lists of known users, in the order asked for.
  std::vector<std::vector<Ranked>> for_users(std::span<const Index> users,
                                             const RecommendOptions& options) const;

  /// The list of somebody with this history (distinct items, ascending), folded in exactly.
  std::vector<Ranked> for_history(std::span<const Index> history,
                                  const RecommendOptions& options) const;

  /// The k most similar of the same side by cosine, without the row itself. Throws
  /// Errc::BadInput for a model without vectors.
  std::vector<Ranked> similar(Side side, Index row, Index k) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
