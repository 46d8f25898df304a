// WarmStart: known rows are copied, new ones folded in.
#include "sqmax/train/warm_start.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sqmax/solve/fold_in.h"

#include "core/fail.h"

namespace sqmax {
namespace {

using Places = std::vector<std::optional<Index>>;  // in the model, of each row of the dataset

Places places_of(const IdTable& wanted, const IdTable& known) {
  const IdIndex index(known);
  Places places;
  for (Index r = 0; r < wanted.size(); ++r) places.push_back(index.find(wanted[r]));
  return places;
}

// The rows that the model does not know, each with those of its columns that the model does.
Csr histories_of_new(CsrView interactions, const Places& rows, const Places& cols, Index known) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Index r = 0; r < interactions.rows; ++r) {
    if (rows[at(r)]) continue;
    const auto begin = static_cast<std::ptrdiff_t>(indices.size());
    for (const Index c : interactions.row(r)) {
      if (cols[at(c)]) indices.push_back(*cols[at(c)]);
    }
    std::sort(indices.begin() + begin, indices.end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {static_cast<Index>(offsets.size()) - 1, known, std::move(offsets), std::move(indices)};
}

WarmSide lay_out(const Places& places, ConstMatrix known, ConstMatrix folded) {
  WarmSide side{.vectors = Matrix(static_cast<Offset>(places.size()), known.cols), .known = {}};
  Offset next = 0;
  for (std::size_t r = 0; r < places.size(); ++r) {
    const auto from = places[r] ? known.row(*places[r]) : folded.row(next++);
    std::copy(from.begin(), from.end(), side.vectors.row(static_cast<Offset>(r)).begin());
    if (places[r]) side.known.push_back(static_cast<Index>(r));
  }
  return side;
}

WarmSide warm_side(const Model& model, Side side, CsrView interactions, const Places& rows,
                   const Places& cols) {
  const bool is_users = side == Side::Users;
  const Csr histories = histories_of_new(interactions, rows, cols,
                                         is_users ? model.item_count() : model.user_count());
  const ConstMatrix known = is_users ? model.P.view() : model.Q.view();
  if (histories.rows == 0) return lay_out(rows, known, {nullptr, 0, known.cols});
  return lay_out(rows, known, FoldIn(model, side).rows(histories));
}

// How many of the held-out pairs the model was trained on.
Offset leaked_pairs(const Model& model, CsrView held_out, const Places& users,
                    const Places& items) {
  Offset leaked = 0;
  for (Index x = 0; x < held_out.rows; ++x) {
    if (!users[at(x)]) continue;
    const auto seen = model.seen.view().row(*users[at(x)]);
    leaked += std::ranges::count_if(held_out.row(x), [&](Index y) {
      return items[at(y)] && std::binary_search(seen.begin(), seen.end(), *items[at(y)]);
    });
  }
  return leaked;
}

double squared_length(std::span<const float> x) {
  double sum = 0.0;
  for (const float value : x) sum += double{value} * value;
  return sum;
}

}  // namespace

WarmStart warm_start(const Model& model, const Dataset& dataset) {
  const Places users = places_of(dataset.users, model.users);
  const Places items = places_of(dataset.items, model.items);
  const Offset leaked = leaked_pairs(model, dataset.valid, users, items) +
                        leaked_pairs(model, dataset.test, users, items);
  if (leaked > 0) {
    fail(Errc::BadInput,
         "The model to go on from was trained on {} of the {} interactions that are held out here; "
         "keep its split, or prepare the data with --split none.",
         leaked, dataset.valid.nnz() + dataset.test.nnz());
  }
  return {.users = warm_side(model, Side::Users, dataset.train, users, items),
          .items = warm_side(model, Side::Items, transpose(dataset.train), items, users)};
}

Movement movement(const WarmSide& start, ConstMatrix end) {
  double length = 0.0;
  double moved = 0.0;
  double largest = 0.0;
  for (const Index r : start.known) {
    const auto before = start.vectors.row(r);
    const auto after = end.row(r);
    double step = 0.0;
    for (std::size_t k = 0; k < before.size(); ++k) {
      step += std::pow(double{after[k]} - before[k], 2);
    }
    length += squared_length(before);
    moved += step;
    largest = std::max(largest, step);
  }
  if (length == 0.0) return {};
  const auto rows = static_cast<double>(start.known.size());
  return {.all = std::sqrt(moved / length), .largest = std::sqrt(largest * rows / length)};
}

}  // namespace sqmax
