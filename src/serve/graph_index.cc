// GraphIndex: the graph finds, links are added, and what is left is sorted.
#include "serve/graph_index.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sqmax/serve/vectors.h"

#include "core/fail.h"
#include "kernels/dense.h"
#include "rank/list_rules.h"

namespace sqmax {
namespace {

constexpr std::size_t kConstruction = 100;  // candidates while building
constexpr std::size_t kMostWanted = 500;    // beyond, one exact pass is hardly slower
constexpr std::array<std::size_t, 11> kWidths = {32,  48,  64,  96,  128, 192,
                                                 256, 384, 512, 768, 1024};
constexpr double kGoal = 0.96;
constexpr Index kProbes = 1000;  // users whose lists are compared
constexpr Index kCompared = 10;

// The score of the last of the k best; −∞ if there are fewer.
float lowest_of_list(const ListQuery& query, const std::vector<Ranked>& found) {
  std::vector<float> scores;
  for (const Ranked& each : found) {
    if (!excludes(query, each.item)) scores.push_back(each.score);
  }
  if (scores.size() < at(query.k)) return std::numeric_limits<float>::lowest();
  std::ranges::nth_element(scores, scores.begin() + query.k - 1, std::greater<>());
  return scores[at(query.k) - 1];
}

// |found ∩ exact|
double common(const std::vector<Ranked>& found, const std::vector<Ranked>& exact) {
  return static_cast<double>(std::ranges::count_if(found, [&](const Ranked& ranked) {
    return std::ranges::find(exact, ranked.item, &Ranked::item) != exact.end();
  }));
}

std::vector<ListQuery> queries_of_users(const Model& model) {
  std::vector<ListQuery> queries;
  const Index step = std::max(1, model.user_count() / kProbes);
  for (Index x = 0; x < model.user_count(); x += step) {
    const auto seen = model.seen.view().row(x);
    queries.push_back(
        {.vector = model.P.view().row(x), .k = kCompared, .excluded = {seen}, .history = {seen}});
  }
  return queries;
}

}  // namespace

GraphIndex::GraphIndex(const Model& model, const ItemScorer& scorer)
    : model_(model), scorer_(scorer), items_(serving_items(model)), graph_(items_, kConstruction) {
  choose_width();
}

void GraphIndex::choose_width() {
  const std::vector<ListQuery> queries = queries_of_users(model_);
  const auto exact = top_k(scorer_, queries);
  for (const std::size_t width : kWidths) {
    width_ = width;
    double hits = 0.0;
    double wanted = 0.0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      wanted += static_cast<double>(exact[i].size());
      hits += common(list(queries[i]).value_or(exact[i]), exact[i]);
    }
    if (wanted == 0.0) return;
    recall_ = hits / wanted;
    if (*recall_ >= kGoal) return;
  }
}

std::optional<std::vector<Ranked>> GraphIndex::list(const ListQuery& query) const {
  std::size_t wanted = at(query.k);
  for (const auto part : query.excluded) wanted += part.size();
  if (query.allowed || !query.factors.empty() || wanted > kMostWanted) return {};
  std::vector<Ranked> best = candidates(query, std::max(wanted, width_));
  std::erase_if(best, [&](const Ranked& ranked) { return excludes(query, ranked.item); });
  if (best.size() < at(query.k)) return {};
  std::partial_sort(best.begin(), best.begin() + query.k, best.end(), kBetter);
  best.resize(at(query.k));
  return best;
}

std::vector<Ranked> GraphIndex::candidates(const ListQuery& query, std::size_t wanted) const {
  std::vector<float> vector(query.vector.begin(), query.vector.end());
  if (model_.has_bias()) vector.push_back(1.0f);
  std::vector<Ranked> found = graph_.best(vector, wanted);
  if (!scorer_.links().empty()) add_links(query, vector, found);
  return found;
}

// Σ of what links of the history add to each item that they reach, by item.
std::vector<Ranked> GraphIndex::reached_by_links(const ListQuery& query) const {
  const Links& links = scorer_.links();
  std::vector<Ranked> reached;
  std::size_t place = 0;
  for (const auto part : query.history) {
    for (const Index z : part) {
      const float weight = query.weights.empty() ? 1.0f : query.weights[place++];
      const auto last = at(links.targets.offsets[at(z) + 1]);
      for (auto l = at(links.targets.offsets[at(z)]); l < last; ++l) {
        reached.push_back({links.targets.indices[l], weight * links.values[l]});
      }
    }
  }
  std::ranges::stable_sort(reached, {}, &Ranked::item);
  std::size_t kept = 0;
  for (const Ranked& each : reached) {
    const bool is_same = kept > 0 && reached[kept - 1].item == each.item;
    if (is_same) {
      reached[kept - 1].score += each.score;
    } else {
      reached[kept++] = each;
    }
  }
  reached.resize(kept);
  return reached;
}

// What links reach is a candidate, found by the graph or not. An item that the graph did not find
// is at best as good as the last that it found: it is looked at if its links can lift it from there
// into the list.
void GraphIndex::add_links(const ListQuery& query, std::span<const float> vector,
                           std::vector<Ranked>& found) const {
  std::vector<Ranked> reached = reached_by_links(query);
  const float last = found.empty() ? 0.0f : std::ranges::min(found, {}, &Ranked::score).score;
  for (Ranked& each : found) {
    const auto link = std::ranges::lower_bound(reached, each.item, {}, &Ranked::item);
    if (link == reached.end() || link->item != each.item) continue;
    each.score += std::exchange(link->score, -std::numeric_limits<float>::infinity());
  }
  const float bar = lowest_of_list(query, found);
  for (const Ranked& each : reached) {
    if (last + each.score < bar) continue;
    found.push_back({each.item, each.score + kernels::dot(vector, items_.row(each.item))});
  }
}

}  // namespace sqmax
