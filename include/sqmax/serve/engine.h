// Engine: a model that answers many callers at once.                           docs/serving.md
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sqmax/model/model.h"
#include "sqmax/rank/top_k.h"
#include "sqmax/serve/explainer.h"
#include "sqmax/serve/item_map.h"

namespace sqmax {

enum class IndexKind { Auto, Exact, Hnsw };

struct EngineOptions {
  IndexKind index = IndexKind::Exact;
};

/// Which index answers, and how much it finds of what exact search finds.
struct IndexReport {
  std::string kind = "exact";    ///< or "hnsw"
  std::optional<double> recall;  ///< of the first ten items, if it may miss some
};

struct ListRequest {
  std::optional<Index> user;   ///< somebody known, by their vector; else the history is folded in
  std::vector<Index> history;  ///< distinct, ascending; empty if there is a user
  std::vector<float> weights;  ///< one for each of the history, or none: 1
  Index k = 10;
  std::vector<Index> only;  ///< candidates, if `restricted`: distinct, ascending
  bool restricted = false;
  std::vector<Index> exclude;   ///< distinct, ascending
  bool allow_seen = false;      ///< recommend again what they already have
  std::optional<double> blend;  ///< τ', for a model with a prior; absent: the model's
};

/// Calls from many threads are answered together, each with the list that it alone would get.
class Engine {
 public:
  Engine(Model model, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Throws Errc::BadInput for weights or a blend that the model's loss has no meaning for, and for
  /// positions that do not exist.
  std::vector<Ranked> recommend(const ListRequest& request) const;
  std::vector<std::vector<Ranked>> recommend(std::span<const ListRequest> requests) const;

  /// The k most similar items, without the item itself. Throws Errc::BadInput without vectors.
  std::vector<Ranked> similar(Index item, Index k) const;

  /// What each item of the history adds to the score of `item`. Throws Errc::BadInput if
  /// !explains().
  Explanation explain(const ListRequest& request, Index item) const;
  /// Whether scores are sums over a history.
  bool explains() const;

  const Model& model() const;
  /// How many interactions of training each item has.
  std::span<const Index> popularity() const;
  /// Made when it is first asked for.
  const ItemMap& map() const;
  IndexReport index() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
