// Recommender on exact top-k and exact fold-in.
#include "sqmax/serve/recommender.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "sqmax/rank/item_scorer.h"
#include "sqmax/solve/fold_in.h"

#include "core/fail.h"

namespace sqmax {
namespace {

// The candidates that the options leave; nothing if that is every item.
std::optional<std::vector<Index>> candidates(const RecommendOptions& options, Index items) {
  if (options.only.empty() && options.exclude.empty()) return {};
  std::vector<Index> all = options.only;
  if (all.empty()) {
    all.resize(at(items));
    std::iota(all.begin(), all.end(), 0);
  }
  std::vector<Index> left;
  std::set_difference(all.begin(), all.end(), options.exclude.begin(), options.exclude.end(),
                      std::back_inserter(left));
  return left;
}

// Rows of length one; a row of zeros stays as it is.
Matrix normalised(ConstMatrix F) {
  Matrix unit(F.rows, F.cols);
  for (Offset r = 0; r < F.rows; ++r) {
    const auto row = F.row(r);
    const double square = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    const auto inverse = static_cast<float>(square > 0.0 ? 1.0 / std::sqrt(square) : 0.0);
    std::transform(row.begin(), row.end(), unit.row(r).begin(),
                   [inverse](float value) { return inverse * value; });
  }
  return unit;
}

// Those nearest to the row, which is not among them; the score is −‖f − g‖².
std::vector<Ranked> nearest(ConstMatrix F, Index row, Index k) {
  const std::vector<float> scale(at(F.rows), 2.0f);
  std::vector<float> bias;
  for (Offset r = 0; r < F.rows; ++r) {
    const auto f = F.row(r);
    bias.push_back(-std::inner_product(f.begin(), f.end(), f.begin(), 0.0f));
  }
  const std::array<Offset, 2> offsets = {0, 1};
  const CsrView itself{1, static_cast<Index>(F.rows), offsets, {&row, 1}};
  const TopKQuery query{.user_vectors = F.middle_rows(row, row + 1), .k = k, .excluded = {itself}};
  std::vector<Ranked> list = top_k(ItemScorer(F, scale, bias), query).front();
  for (Ranked& ranked : list) ranked.score += bias[at(row)];
  return list;
}

}  // namespace

struct Recommender::State {
  explicit State(const Model& trained)
      : model(trained), scorer(scorer_of(trained)), fold_in(trained) {}

  std::vector<std::vector<Ranked>> lists(TopKQuery query, const RecommendOptions& options,
                                         CsrView seen) const {
    const auto allowed = candidates(options, model.item_count());
    query.k = options.k;
    if (allowed) query.allowed = std::span<const Index>(*allowed);
    if (!options.allow_seen) query.excluded = {seen};
    query.histories = {seen};
    return top_k(scorer, query);
  }

  const Model& model;
  ItemScorer scorer;
  FoldIn fold_in;
};

Recommender::Recommender(const Model& model) : state_(std::make_unique<State>(model)) {}
Recommender::~Recommender() = default;

std::vector<std::vector<Ranked>> Recommender::for_users(std::span<const Index> users,
                                                        const RecommendOptions& options) const {
  const Model& model = state_->model;
  return state_->lists({.user_vectors = model.P.view(), .rows = users}, options, model.seen);
}

std::vector<Ranked> Recommender::for_history(std::span<const Index> history,
                                             const RecommendOptions& options) const {
  const Model& model = state_->model;
  Matrix p(1, model.Q.rank);
  state_->fold_in.row(history, p.row(0));
  const std::array<Offset, 2> offsets = {0, static_cast<Offset>(history.size())};
  const CsrView seen{1, model.item_count(), offsets, history};
  return state_->lists({.user_vectors = p}, options, seen).front();
}

std::vector<Ranked> Recommender::similar(Side side, Index row, Index k) const {
  const Model& model = state_->model;
  if (model.Q.rank == 0) {
    fail(Errc::BadInput, "A model of the loss {} has no vectors to compare.", model.loss);
  }
  if (model.by_distance) {
    return nearest(side == Side::Items ? model.Q.view() : model.P.view(), row, k);
  }
  const Matrix unit = normalised(side == Side::Items ? model.Q.view() : model.P.view());
  const ConstMatrix query = unit.view().middle_rows(row, row + 1);
  const std::array<Offset, 2> offsets = {0, 1};
  const CsrView itself{1, static_cast<Index>(unit.rows()), offsets, {&row, 1}};
  return top_k(ItemScorer(unit), {.user_vectors = query, .k = k, .excluded = {itself}}).front();
}

}  // namespace sqmax
