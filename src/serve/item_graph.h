// ItemGraph: items with large inner products, found by walking a graph (hnswlib). docs/serving.md
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/core/progress.h"
#include "sqmax/rank/top_k.h"

namespace sqmax {

/// One item after the other enters the graph, so that the same items give the same graph.
class ItemGraph {
 public:
  /// Each item has up to twice so many neighbours; `width` candidates are looked at for every item
  /// that enters. Throws Errc::Io if stopped.
  ItemGraph(ConstMatrix items, std::size_t neighbours, std::size_t width,
            const OnProgress& on_progress = {});
  ~ItemGraph();
  ItemGraph(const ItemGraph&) = delete;
  ItemGraph& operator=(const ItemGraph&) = delete;

  /// About `count` items with the largest inner products, in any order; the larger `count`, the
  /// fewer of the best are missed. Called by many threads.
  std::vector<Ranked> best(std::span<const float> vector, std::size_t count) const;

  /// In hnswlib's own format, for its space of inner products.
  void save(const std::string& location) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
