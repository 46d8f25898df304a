// UserPart: pieces of a sweep, for the users of one part.                       docs/spark.md
#include "user_part.h"

#include <utility>

#include "fail.h"

namespace sqmax::python {
namespace {

// Vectors that are mostly zero are sent by row.
constexpr Index kDenseFrom = 2;

double pull_of_items(const QuadraticLaw& law) {
  const bool is_separable = law.users.curvature.scale == 0.0 || law.items.curvature.scale == 0.0;
  const bool is_apart = law.users.interaction == 0.0 && law.items.interaction == 0.0;
  if (!is_separable || !is_apart || law.items.pull.slope != 0.0) {
    fail(Errc::BadOption,
         "Only losses without confidence of their own for observed pairs can be trained in parts.");
  }
  return law.items.pull(0.0);
}

}  // namespace

UserPart::UserPart(Csr rows, const QuadraticLaw& law, double item_weight)
    : rows_(std::move(rows)),
      terms_(spell_out_rows(law, law.users, row_degrees(rows_), item_weight)),
      pull_(terms_.pull),
      target_(law.target) {
  const auto of_items = static_cast<float>(pull_of_items(law));
  for (float& value : pull_) value *= of_items;
}

Csr UserPart::columns(Index begin, Index end) const {
  if (begin < 0 || end < begin || end > rows_.cols) {
    fail(Errc::BadInput, "Items {} to {} are not within the {} that there are.", begin, end,
         rows_.cols);
  }
  if (begin == 0 && end == rows_.cols) return rows_;  // shares the arrays
  return middle_columns(rows_, begin, end);
}

void UserPart::pull(Index begin, ConstMatrix Q) {
  if (P_.cols() != Q.cols) P_ = Matrix(rows_.rows, Q.cols);
  PullingSide items;
  items.assign(Q, {});
  items.add_to(columns(begin, begin + static_cast<Index>(Q.rows)), pull_, P_.view());
}

void UserPart::solve(const SideSums& items) {
  SharedSystem(items, target_).solve(terms_, 0, P_.view());
}

PushedRows UserPart::push(Index begin, Index end) const {
  const Csr by_item = transpose(columns(begin, end));
  PushedRows pushed{.rows = nonempty_rows(by_item), .values = {}};
  const auto touched = static_cast<Index>(pushed.rows.size());
  PullingSide users;
  users.assign(P_, terms_.pull);
  if (kDenseFrom * touched >= end - begin) {
    pushed.rows.clear();
    pushed.values = Matrix(end - begin, P_.cols());
    users.add_to(by_item, {}, pushed.values.view());
    return pushed;
  }
  std::vector<Offset> offsets;  // rows without users take no room between those that have some
  for (const Index y : pushed.rows) offsets.push_back(by_item.offsets[at(y)]);
  offsets.push_back(by_item.nnz());
  pushed.values = Matrix(touched, P_.cols());
  users.add_to({touched, rows_.rows, offsets, by_item.indices}, {}, pushed.values.view());
  return pushed;
}

void UserPart::best_items(const ItemScorer& items, Index k, bool leave_out,
                          const OnRanking& heard) const {
  TopKQuery query{.user_vectors = P_, .k = k};
  if (leave_out) query.excluded = {rows_};
  top_k(items, query, heard);
}

void UserPart::best_users(Index begin, ConstMatrix Q, Index k, bool leave_out,
                          const OnRanking& heard) const {
  const Csr by_item = transpose(columns(begin, begin + static_cast<Index>(Q.rows)));
  TopKQuery query{.user_vectors = Q, .k = k};
  if (leave_out) query.excluded = {by_item};
  top_k(ItemScorer(P_), query, heard);
}

}  // namespace sqmax::python
