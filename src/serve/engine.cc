// Engine: requests become queries of top_k().
#include "sqmax/serve/engine.h"

#include <algorithm>
#include <cmath>

#include "sqmax/serve/neighbours.h"

#include "core/fail.h"
#include "core/lazy.h"
#include "serve/blend_factors.h"
#include "serve/graph_index.h"
#include "serve/list_queue.h"
#include "serve/weighted_fold_in.h"

namespace sqmax {
namespace {

// Auto: up to here an exact list takes well under a millisecond in company.
constexpr Index kMostExact = 200'000;

void check_items(const char* what, std::span<const Index> items, Index count) {
  const bool is_sorted =
      std::adjacent_find(items.begin(), items.end(), std::greater_equal<>()) == items.end();
  if (!is_sorted || (!items.empty() && (items.front() < 0 || items.back() >= count))) {
    fail(Errc::BadInput, "The {} is not a list of distinct items, ascending.", what);
  }
}

void check(const ListRequest& request, const Model& model) {
  const Index items = model.item_count();
  if (request.k < 1) fail(Errc::BadInput, "A list of {} items cannot be made.", request.k);
  if (request.user && (*request.user < 0 || *request.user >= model.user_count())) {
    fail(Errc::BadInput, "User {} does not exist.", *request.user);
  }
  if (request.user && !(request.history.empty() && request.weights.empty())) {
    fail(Errc::BadInput, "A known user has their own history: no other can be given with them.");
  }
  check_items("history", request.history, items);
  check_items("list of candidates", request.only, items);
  check_items("list of excluded items", request.exclude, items);
  if (!request.weights.empty() && request.weights.size() != request.history.size()) {
    fail(Errc::BadInput, "The history has {} items and {} weights.", request.history.size(),
         request.weights.size());
  }
  if (!std::ranges::all_of(request.weights, [](float w) { return std::isfinite(w); })) {
    fail(Errc::BadInput, "A weight of the history is not a number.");
  }
}

bool wants_graph(const Model& model, IndexKind kind) {
  if (kind == IndexKind::Hnsw && model.Q.rank == 0) {
    fail(Errc::BadInput, "A model of the loss {} has no vectors to index.", model.loss);
  }
  return kind == IndexKind::Hnsw ||
         (kind == IndexKind::Auto && model.Q.rank > 0 && model.item_count() > kMostExact);
}

// A request with what its query refers to.
struct Prepared {
  std::span<const Index> history;
  std::vector<float> vector;
  std::vector<float> factors;
  ListQuery query;
};

}  // namespace

struct Engine::State {
  State(Model trained, IndexKind kind)
      : model(std::move(trained)),
        popularity(column_degrees(model.seen)),
        scorer(scorer_of(model)),
        fold_in(model, popularity),
        blends(model, popularity),
        queue(scorer) {
    if (fold_in.is_linear() && model.Q.rank > 0) explainer = std::make_unique<Explainer>(model);
    if (wants_graph(model, kind)) graph = std::make_unique<GraphIndex>(model, scorer);
  }

  // `request` must outlive the result, which must not move.
  void prepare(const ListRequest& request, Prepared& prepared) const {
    check(request, model);
    prepared.history = request.user ? model.seen.view().row(*request.user)
                                    : std::span<const Index>(request.history);
    if (request.user) {
      const auto row = model.P.view().row(*request.user);
      prepared.vector.assign(row.begin(), row.end());
    } else {
      prepared.vector.resize(at(model.Q.rank));
      fold_in.row(request.history, request.weights, prepared.vector);
    }
    if (request.blend) prepared.factors = blends.to(*request.blend);
    prepared.query = {.vector = prepared.vector,
                      .k = request.k,
                      .excluded = {request.exclude},
                      .history = {prepared.history},
                      .weights = request.weights,
                      .factors = prepared.factors};
    if (!request.allow_seen) prepared.query.excluded.push_back(prepared.history);
    if (request.restricted) prepared.query.allowed = std::span<const Index>(request.only);
  }

  Model model;
  std::vector<Index> popularity;
  ItemScorer scorer;
  WeightedFoldIn fold_in;
  BlendFactors blends;
  std::unique_ptr<Explainer> explainer;
  std::unique_ptr<GraphIndex> graph;
  mutable ListQueue queue;
  Lazy<Neighbours> neighbours;
  Lazy<ItemMap> map;
};

Engine::Engine(Model model, EngineOptions options)
    : state_(std::make_unique<State>(std::move(model), options.index)) {}
Engine::~Engine() = default;

std::vector<Ranked> Engine::recommend(const ListRequest& request) const {
  Prepared prepared;
  state_->prepare(request, prepared);
  if (state_->graph) {
    if (auto list = state_->graph->list(prepared.query)) return std::move(*list);
  }
  return state_->queue.ask(std::move(prepared.query));
}

std::vector<std::vector<Ranked>> Engine::recommend(std::span<const ListRequest> requests) const {
  std::vector<Prepared> prepared(requests.size());
  std::vector<std::vector<Ranked>> lists(requests.size());
  std::vector<std::size_t> exact;  // those that no index answered
  std::vector<ListQuery> queries;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    state_->prepare(requests[i], prepared[i]);
    auto list = state_->graph ? state_->graph->list(prepared[i].query) : std::nullopt;
    if (list) {
      lists[i] = std::move(*list);
    } else {
      exact.push_back(i);
      queries.push_back(std::move(prepared[i].query));
    }
  }
  auto made = top_k(state_->scorer, queries);
  for (std::size_t i = 0; i < exact.size(); ++i) lists[exact[i]] = std::move(made[i]);
  return lists;
}

std::vector<Ranked> Engine::similar(Index item, Index k) const {
  const Model& model = state_->model;
  if (item < 0 || item >= model.item_count()) {
    fail(Errc::BadInput, "Item {} does not exist.", item);
  }
  const Index most = std::min(k, model.item_count() - 1);
  const auto& neighbours = state_->neighbours.get([&] { return Neighbours(model, Side::Items); });
  auto list = neighbours.of(model.Q.view().middle_rows(item, item + 1), most + 1).front();
  std::erase_if(list, [item](const Ranked& ranked) { return ranked.item == item; });
  list.resize(std::min(list.size(), at(most)));
  return list;
}

bool Engine::explains() const { return state_->explainer != nullptr; }

Explanation Engine::explain(const ListRequest& request, Index item) const {
  if (item < 0 || item >= state_->model.item_count()) {
    fail(Errc::BadInput, "Item {} does not exist.", item);
  }
  if (!explains()) Explainer{state_->model};  // says why not
  Prepared prepared;
  state_->prepare(request, prepared);
  const double factor = prepared.factors.empty() ? 1.0 : double{prepared.factors[at(item)]};
  Explanation result = state_->explainer->explain(
      prepared.history, item, {.weights = request.weights, .vector = prepared.vector});
  result.score *= factor;
  result.rest *= factor;
  for (Contribution& part : result.contributions) part.score *= factor;
  return result;
}

const Model& Engine::model() const { return state_->model; }
std::span<const Index> Engine::popularity() const { return state_->popularity; }

const ItemMap& Engine::map() const {
  return state_->map.get([this] { return map_items(state_->model); });
}

IndexReport Engine::index() const {
  if (!state_->graph) return {};
  return {.kind = "hnsw", .recall = state_->graph->recall()};
}

}  // namespace sqmax
