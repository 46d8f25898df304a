// measure(): scorer, user vectors and exclusions for one part.
#include "sqmax/train/measure.h"

#include <algorithm>

#include "sqmax/solve/fold_in.h"

#include "core/fail.h"

namespace sqmax {
namespace {

bool same_ids(const IdTable& a, const IdTable& b) {
  return std::equal(a.offsets.begin(), a.offsets.end(), b.offsets.begin(), b.offsets.end()) &&
         std::equal(a.text.begin(), a.text.end(), b.text.begin(), b.text.end());
}

// P, with the vectors of users known by their history alone folded in.
Matrix folded_vectors(const Model& model, CsrView history) {
  Matrix P(model.P.rows, model.P.rank);
  std::copy(model.P.values.begin(), model.P.values.end(), P.values().begin());
  std::vector<Index> users;
  std::vector<Offset> offsets = {0};
  for (Index x = 0; x < history.rows; ++x) {
    if (history.row_size(x) == 0) continue;
    users.push_back(x);
    offsets.push_back(offsets.back() + history.row_size(x));
  }
  const auto count = static_cast<Index>(users.size());
  const Matrix folded = FoldIn(model).rows(CsrView{count, history.cols, offsets, history.indices});
  for (Index r = 0; r < count; ++r) std::ranges::copy(folded.row(r), P.row(users[at(r)]).begin());
  return P;
}

// How many of the held-out pairs the model was trained on.
Offset leaked_pairs(const Model& model, CsrView held_out) {
  Offset leaked = 0;
  for (Index x = 0; x < held_out.rows; ++x) {
    const auto seen = model.seen.view().row(x);
    for (const Index y : held_out.row(x)) {
      leaked += std::binary_search(seen.begin(), seen.end(), y) ? 1 : 0;
    }
  }
  return leaked;
}

}  // namespace

Evaluation measure(const Model& model, const Dataset& dataset, Part part,
                   std::span<const Metric> metrics) {
  return measure_by(model, dataset, part,
                    part == Part::Valid ? dataset.valid.view() : dataset.test.view(), metrics);
}

Evaluation measure_by(const Model& model, const Dataset& dataset, Part part, CsrView held_out,
                      std::span<const Metric> metrics) {
  if (!same_ids(model.users, dataset.users) || !same_ids(model.items, dataset.items)) {
    fail(Errc::BadInput,
         "The model knows {} users and {} items, the dataset {} and {}, and they are not the same: "
         "the model was trained on other data.",
         model.user_count(), model.item_count(), dataset.user_count(), dataset.item_count());
  }
  if (const Offset leaked = leaked_pairs(model, held_out); leaked > 0) {
    fail(
        Errc::BadInput,
        "The model was trained on {} of the {} interactions that it would be measured on: it comes "
        "from another split.",
        leaked, held_out.nnz());
  }
  const ItemScorer scorer = scorer_of(model);
  const bool any_history = dataset.history.nnz() > 0;
  const Matrix folded = any_history ? folded_vectors(model, dataset.history) : Matrix();
  const std::vector<Index> popularity = column_degrees(dataset.train);

  EvaluationInput input{.scorer = scorer,
                        .user_vectors = any_history ? folded.view() : model.P.view(),
                        .seen = {dataset.train, dataset.history},
                        .held_out = held_out,
                        .item_popularity = popularity,
                        .histories = {model.seen, dataset.history}};
  if (part == Part::Test) input.seen.push_back(dataset.valid);
  return evaluate(input, metrics);
}

}  // namespace sqmax
