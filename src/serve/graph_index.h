// GraphIndex: lists of a model by an ItemGraph, as nearly exact as was asked for. docs/serving.md
#pragma once

#include <optional>
#include <vector>

#include "sqmax/model/model.h"
#include "sqmax/rank/top_k.h"

#include "serve/item_graph.h"
#include "serve/link_sums.h"

namespace sqmax {

/// Candidates are what the graph finds and what the links of the history reach.
class GraphIndex {
 public:
  /// Looks at more and more items until it finds nearly all of what `scorer` finds for some known
  /// users. `model` and `scorer` must outlive it; the model has vectors.
  GraphIndex(const Model& model, const ItemScorer& scorer);

  /// Nothing if exact search has to answer: for a list of few candidates, a very long one, or
  /// scores that are not the model's own.
  std::optional<std::vector<Ranked>> list(const ListQuery& query) const;

  /// How much of the first ten items it finds, of users spread evenly; nothing without users.
  std::optional<double> recall() const { return recall_; }

 private:
  std::vector<Ranked> candidates(const ListQuery& query) const;
  std::vector<Ranked> walk(const ListQuery& query, std::span<const float> vector) const;
  LinkSums reached_by_links(const ListQuery& query) const;
  void add_links(const ListQuery& query, std::span<const float> vector,
                 std::vector<Ranked>& candidates) const;
  void choose_width();

  const Model& model_;
  const ItemScorer& scorer_;
  Matrix items_;  // with the bias as one more coordinate, if there is one, and zeros
  std::optional<ItemGraph> graph_;
  std::size_t width_ = 0;
  std::optional<double> recall_;
};

}  // namespace sqmax
