// GraphIndex: the graph finds, links are added, and what is left is sorted.
#include "serve/graph_index.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sqmax/serve/vectors.h"

#include "core/fail.h"
#include "kernels/listed.h"
#include "rank/list_rules.h"

namespace sqmax {
namespace {

constexpr std::array<std::size_t, 2> kNeighbours = {6, 16};  // few, unless that finds too little
constexpr std::size_t kConstruction = 100;                   // candidates while building
constexpr std::size_t kWidest = 1024;  // beyond, one exact pass is hardly slower
constexpr Index kLongestList = 500;    // as above
constexpr std::size_t kUsuallyExcluded = 22;
constexpr std::array<std::size_t, 11> kWidths = {32,  48,  64,  96,  128, 192,
                                                 256, 384, 512, 768, 1024};
constexpr double kGoal = 0.96;
constexpr Offset kLanes = 8;
constexpr Index kProbes = 1000;  // users whose lists are compared
constexpr Index kCompared = 10;

std::size_t excluded_count(const ListQuery& query) {
  std::size_t count = 0;
  for (const auto part : query.excluded) count += part.size();
  return count;
}

// With zeros at the end of each row: products of whole vectors of the CPU are quicker.
Matrix padded(const Matrix& items) {
  Matrix wider(items.rows(), (items.cols() + kLanes - 1) / kLanes * kLanes);
  for (Offset y = 0; y < items.rows(); ++y) {
    std::ranges::copy(items.row(y), wider.row(y).begin());
  }
  return wider;
}

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

// Of all together: where the rows are is known beforehand, and they are asked for in time.
void add_products(ConstMatrix items, std::span<const float> vector, std::span<Ranked> scores) {
  std::vector<Index> rows(scores.size());
  std::ranges::transform(scores, rows.begin(), &Ranked::item);
  std::vector<float> products(scores.size());
  kernels::listed_dots(rows, items, vector, products);
  for (std::size_t j = 0; j < scores.size(); ++j) scores[j].score += products[j];
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
    : model_(model), scorer_(scorer), items_(padded(serving_items(model))) {
  for (const std::size_t neighbours : kNeighbours) {
    graph_.emplace(items_, neighbours, kConstruction);
    choose_width();
    if (!recall_ || *recall_ >= kGoal) return;
  }
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
  if (query.allowed || !query.factors.empty() || query.k > kLongestList) return {};
  std::vector<Ranked> best = candidates(query);
  std::erase_if(best, [&](const Ranked& ranked) { return excludes(query, ranked.item); });
  if (best.size() < at(query.k)) return {};
  std::partial_sort(best.begin(), best.begin() + query.k, best.end(), kBetter);
  best.resize(at(query.k));
  return best;
}

std::vector<Ranked> GraphIndex::candidates(const ListQuery& query) const {
  std::vector<float> vector(query.vector.begin(), query.vector.end());
  if (model_.has_bias()) vector.push_back(1.0f);
  vector.resize(at(items_.cols()));
  std::vector<Ranked> found = walk(query, vector);
  if (!found.empty() && !scorer_.links().empty()) add_links(query, vector, found);
  return found;
}

// If k of the best `width` items may be in the list, they are the list. Most of a short history is
// among the best; little of a long one is, and who excludes much need not look at as much.
std::vector<Ranked> GraphIndex::walk(const ListQuery& query, std::span<const float> vector) const {
  const std::size_t excluded = excluded_count(query);
  std::size_t width = std::max(width_, at(query.k) + std::min(excluded, kUsuallyExcluded));
  for (;; width *= 2) {
    if (width > kWidest) return {};
    std::vector<Ranked> found = graph_->best(vector, width);
    const auto left = std::ranges::count_if(
        found, [&](const Ranked& ranked) { return !excludes(query, ranked.item); });
    if (left >= query.k || width >= at(query.k) + excluded) return found;
  }
}

// Σ of what links of the history add to each item that they reach.
LinkSums GraphIndex::reached_by_links(const ListQuery& query) const {
  const Links& links = scorer_.links();
  const auto& offsets = links.targets.offsets;
  std::size_t most = 0;
  for (const auto part : query.history) {
    for (const Index z : part) most += at(offsets[at(z) + 1] - offsets[at(z)]);
  }
  LinkSums sums(most);
  std::size_t place = 0;
  for (const auto part : query.history) {
    for (const Index z : part) {
      const float weight = query.weights.empty() ? 1.0f : query.weights[place++];
      for (auto l = at(offsets[at(z)]); l < at(offsets[at(z) + 1]); ++l) {
        sums.add(links.targets.indices[l], weight * links.values[l]);
      }
    }
  }
  return sums;
}

// What links reach is a candidate, found by the graph or not. An item that the graph did not find
// is at best as good as the last that it found: it is looked at if its links can lift it from there
// into the list.
void GraphIndex::add_links(const ListQuery& query, std::span<const float> vector,
                           std::vector<Ranked>& found) const {
  const LinkSums sums = reached_by_links(query);
  const float last = found.empty() ? 0.0f : std::ranges::min(found, {}, &Ranked::score).score;
  std::vector<Index> known;
  for (Ranked& each : found) {
    const Ranked* sum = sums.find(each.item);
    if (sum == nullptr) continue;
    each.score += sum->score;
    known.push_back(each.item);
  }
  std::ranges::sort(known);
  const float bar = lowest_of_list(query, found);
  const auto first_lifted = found.size();
  for (const Ranked& sum : sums.all()) {
    if (last + sum.score < bar || std::ranges::binary_search(known, sum.item)) continue;
    found.push_back(sum);
  }
  add_products(items_, vector, std::span(found).subspan(first_lifted));
}

}  // namespace sqmax
