// An hnswlib index of the items, and how well it finds what exact search finds.
#include <algorithm>
#include <array>
#include <exception>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "sqmax/core/atomic_file.h"
#include "sqmax/rank/top_k.h"

#include "cli/exporters.h"
#include "core/fail.h"
#include "serve/item_graph.h"

namespace sqmax::cli {
namespace {

constexpr std::size_t kNeighbours = 16;     // of an item in the graph
constexpr std::size_t kConstruction = 200;  // candidates while building
constexpr std::size_t kSearch = 200;        // candidates while searching
constexpr Index kAsked = 10;
constexpr std::size_t kCopiedBytes = std::size_t{1} << 20;
constexpr Offset kProbes = 1000;  // users whose lists are compared

// |found ∩ exact| / |exact|, over users spread evenly.
double measured_recall(const ItemGraph& graph, const ServingVectors& vectors) {
  const ItemScorer scorer(vectors.items);
  const Offset step = std::max<Offset>(1, vectors.users.rows() / kProbes);
  std::vector<Index> probes;
  for (Offset x = 0; x < vectors.users.rows(); x += step) probes.push_back(static_cast<Index>(x));
  const auto exact = top_k(
      scorer, {.user_vectors = vectors.users, .k = kAsked, .rows = std::span<const Index>(probes)});
  double hits = 0.0;
  double wanted = 0.0;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    auto found = graph.best(vectors.users.row(probes[i]), kSearch);
    std::ranges::sort(found, std::greater<>(), &Ranked::score);
    found.resize(std::min(found.size(), at(kAsked)));
    wanted += static_cast<double>(exact[i].size());
    for (const Ranked& ranked : found) {
      const auto same = std::ranges::find(exact[i], ranked.item, &Ranked::item);
      hits += same != exact[i].end() ? 1.0 : 0.0;
    }
  }
  return wanted > 0.0 ? hits / wanted : 0.0;
}

/// A pipe whose entrance has a name that any code can open.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) fail(Errc::Io, "Cannot make a pipe.");
  }
  ~Pipe() {
    close_entrance();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::string entrance() const { return fmt::format("/proc/self/fd/{}", ends_[1]); }
  void close_entrance() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  /// What came through, empty at the end.
  std::string_view read(std::span<char> room) const {
    const auto count = ::read(ends_[0], room.data(), room.size());
    return {room.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

// hnswlib writes to a name and does not look at what the disk answers; an AtomicFile does. After an
// error the rest is read and forgotten, so that the writer comes to its end.
void save(const ItemGraph& graph, const std::filesystem::path& path) {
  AtomicFile file(path);
  Pipe pipe;
  std::thread writer([&] {
    graph.save(pipe.entrance());
    pipe.close_entrance();
  });
  std::exception_ptr error;
  std::vector<char> room(kCopiedBytes);
  for (auto part = pipe.read(room); !part.empty(); part = pipe.read(room)) {
    try {
      if (!error) file.write(part);
    } catch (const Error&) {
      error = std::current_exception();
    }
  }
  writer.join();
  if (error) std::rethrow_exception(error);
  file.commit();
}

}  // namespace

Json export_hnsw(const Model& model, const ServingVectors& vectors,
                 const std::filesystem::path& path, Session& session) {
  if (vectors.items.cols() == 0) fail(Errc::BadInput, "The model has no vectors to index.");
  make_folder(path);
  const ItemGraph graph(vectors.items, kNeighbours, kConstruction, session.progress());
  save(graph, path / "items.hnsw");
  write_ids(path / "items.json", model.items);
  return {{"space", "ip"},
          {"dim", vectors.items.cols()},
          {"ef", kSearch},
          {"recall@10", measured_recall(graph, vectors)}};
}

}  // namespace sqmax::cli
