// ItemGraph on hnswlib. Its headers define functions that are not inline: no other file may
// include them.
#include "serve/item_graph.h"

#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <list>
#include <mutex>
#include <queue>
#include <random>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include <stdlib.h>  // before malloc has another name

namespace {

// hnswlib reads one place past the end of a full list of neighbours, to fetch that item early.
void* allocate_with_a_place_behind(std::size_t size) {
  return std::calloc(1, size + sizeof(unsigned));
}

}  // namespace

// The library is silent; hnswlib would warn of graphs that are wider than any here.
#define cerr ostringstream()
#define malloc allocate_with_a_place_behind
#include <hnswlib/hnswlib.h>
#undef malloc
#undef cerr

#include "core/fail.h"
#include "kernels/dense.h"

namespace sqmax {
namespace {

constexpr Offset kItemsPerEvent = 1024;

float negative_product(const void* a, const void* b, const void* dim) {
  const std::size_t size = *static_cast<const std::size_t*>(dim);
  return -kernels::dot({static_cast<const float*>(a), size}, {static_cast<const float*>(b), size});
}

// As hnswlib's own, up to a constant, on the best instructions of this CPU.
class ProductSpace final : public hnswlib::SpaceInterface<float> {
 public:
  explicit ProductSpace(std::size_t dim) : dim_(dim) {}
  std::size_t get_data_size() override { return dim_ * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return &negative_product; }
  void* get_dist_func_param() override { return &dim_; }

 private:
  std::size_t dim_;
};

}  // namespace

struct ItemGraph::State {
  State(ConstMatrix items, std::size_t neighbours, std::size_t width)
      : space(at(items.cols)), graph(&space, at(items.rows), neighbours, width) {}

  ProductSpace space;
  hnswlib::HierarchicalNSW<float> graph;
};

ItemGraph::ItemGraph(ConstMatrix items, std::size_t neighbours, std::size_t width,
                     const OnProgress& on_progress)
    : state_(std::make_unique<State>(items, neighbours, width)) {
  for (Offset y = 0; y < items.rows; ++y) {
    state_->graph.addPoint(items.row(y).data(), at(y));
    if (on_progress && y % kItemsPerEvent == 0 &&
        on_progress({.stage = "indexing", .done = y, .total = items.rows}) == Next::Stop) {
      fail(Errc::Io, "Stopped before the index was complete; none was written.");
    }
  }
}
ItemGraph::~ItemGraph() = default;

std::vector<Ranked> ItemGraph::best(std::span<const float> vector, std::size_t count) const {
  auto found = state_->graph.searchKnn(vector.data(), count);
  std::vector<Ranked> items;
  items.reserve(found.size());
  for (; !found.empty(); found.pop()) {
    items.push_back({static_cast<Index>(found.top().second), -found.top().first});
  }
  return items;
}

void ItemGraph::save(const std::string& location) const { state_->graph.saveIndex(location); }

}  // namespace sqmax
