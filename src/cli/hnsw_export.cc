// An hnswlib index of the items, and how well it finds what exact search finds.
#include <algorithm>
#include <numeric>

#include <hnswlib/hnswlib.h>

#include "sqmax/rank/top_k.h"

#include "cli/exporters.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr std::size_t kNeighbours = 16;     // links of an item in the graph
constexpr std::size_t kConstruction = 200;  // candidates while building
constexpr std::size_t kSearch = 200;        // candidates while searching
constexpr Index kAsked = 10;
constexpr Offset kProbes = 1000;  // users whose lists are compared

// |found ∩ exact| / |exact|, over users spread evenly.
double measured_recall(hnswlib::HierarchicalNSW<float>& index, const ServingVectors& vectors) {
  const ItemScorer scorer(vectors.items);
  const Offset step = std::max<Offset>(1, vectors.users.rows() / kProbes);
  std::vector<Index> probes;
  for (Offset x = 0; x < vectors.users.rows(); x += step) probes.push_back(static_cast<Index>(x));
  const auto exact = top_k(
      scorer, {.user_vectors = vectors.users, .k = kAsked, .rows = std::span<const Index>(probes)});
  double hits = 0.0;
  double wanted = 0.0;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    auto found = index.searchKnn(vectors.users.row(probes[i]).data(), kAsked);
    wanted += static_cast<double>(exact[i].size());
    for (; !found.empty(); found.pop()) {
      const auto same = [&](const Ranked& r) { return at(r.item) == found.top().second; };
      hits += std::any_of(exact[i].begin(), exact[i].end(), same) ? 1.0 : 0.0;
    }
  }
  return wanted > 0.0 ? hits / wanted : 0.0;
}

}  // namespace

Json export_hnsw(const Model& model, const ServingVectors& vectors,
                 const std::filesystem::path& path, Session& session) {
  if (vectors.items.cols() == 0) fail(Errc::BadInput, "The model has no vectors to index.");
  make_folder(path);
  hnswlib::InnerProductSpace space(at(vectors.items.cols()));
  hnswlib::HierarchicalNSW<float> index(&space, at(vectors.items.rows()), kNeighbours,
                                        kConstruction);
  const OnProgress progress = session.progress();
  for (Offset y = 0; y < vectors.items.rows(); ++y) {
    index.addPoint(vectors.items.row(y).data(), at(y));
    if (y % 1024 == 0 &&
        progress({.stage = "indexing", .done = y, .total = vectors.items.rows()}) == Next::Stop) {
      fail(Errc::Io, "Stopped before the index was complete; none was written.");
    }
  }
  index.setEf(kSearch);
  const std::filesystem::path file = path / "items.hnsw";
  const std::filesystem::path temporary = path / "items.hnsw.tmp";
  index.saveIndex(temporary.string());
  std::filesystem::rename(temporary, file);
  write_ids(path / "items.json", model.items);
  return {{"space", "ip"},
          {"dim", vectors.items.cols()},
          {"ef", kSearch},
          {"recall@10", measured_recall(index, vectors)}};
}

}  // namespace sqmax::cli
