// with_rows(): fold-in, and tables with other rows.
#include "sqmax/serve/partial_fit.h"

#include <algorithm>
#include <string>

#include "sqmax/solve/fold_in.h"

#include "core/fail.h"

namespace sqmax {
namespace {

// A position in `rows` for each row of the result; -1: as it was.
std::vector<Index> places(std::span<const Index> rows, Index count) {
  std::vector<Index> place(at(count), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (place[at(rows[i])] >= 0) fail(Errc::BadInput, "Row {} is given more than once.", rows[i]);
    place[at(rows[i])] = static_cast<Index>(i);
  }
  return place;
}

Csr replaced(CsrView old, std::span<const Index> place, CsrView given) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  indices.reserve(at(old.nnz() + given.nnz()));
  for (Index r = 0; r < std::ssize(place); ++r) {
    const Index i = place[at(r)];
    const auto was = r < old.rows ? old.row(r) : std::span<const Index>();
    const auto row = i >= 0 ? given.row(i) : was;
    indices.insert(indices.end(), row.begin(), row.end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {static_cast<Index>(place.size()), old.cols, std::move(offsets), std::move(indices)};
}

Factors replaced(const Factors& old, std::span<const Index> place, const Matrix& given) {
  Matrix vectors(static_cast<Offset>(place.size()), old.rank);
  for (Index r = 0; r < std::ssize(place); ++r) {
    const Index i = place[at(r)];
    if (i >= 0) {
      std::ranges::copy(given.row(i), vectors.row(r).begin());
    } else if (r < old.rows) {
      std::ranges::copy(old.view().row(r), vectors.row(r).begin());
    }
  }
  return to_factors(std::move(vectors));
}

// An id that is taken gets one more sign in front.
IdTable lengthened(const IdTable& old, Index count) {
  IdMap map;
  for (Index r = 0; r < old.size(); ++r) map.insert(old[r]);
  for (Index r = old.size(); r < count; ++r) {
    std::string id = std::to_string(r);
    while (map.find(id)) id.insert(id.begin(), '#');
    map.insert(id);
  }
  return map.take_table();
}

// New items speak for none, and none for them.
Links lengthened(const Links& old, Index count) {
  if (old.empty()) return old;
  std::vector<Offset> offsets(old.targets.offsets.begin(), old.targets.offsets.end());
  offsets.resize(at(count) + 1, offsets.back());
  return {.targets = {count, count, std::move(offsets), old.targets.indices}, .values = old.values};
}

// Of new items nothing is known.
ItemTable lengthened(const ItemTable& old, Index count) {
  ItemTable table = old;
  for (TextColumn& column : table.values) {
    std::vector<Offset> offsets(column.offsets.begin(), column.offsets.end());
    offsets.resize(at(count) + 1, offsets.back());
    column.offsets = std::move(offsets);
  }
  return table;
}

Array<float> lengthened(const Array<float>& old, Index count) {
  if (old.empty() || std::ssize(old.span()) == count) return old;
  std::vector<float> values(old.begin(), old.end());
  values.resize(at(count), 0.0f);
  return values;
}

}  // namespace

Model with_rows(const Model& model, Side side, std::span<const Index> rows, CsrView histories) {
  const bool of_users = side == Side::Users;
  const Index before = of_users ? model.user_count() : model.item_count();
  if (rows.empty()) return model;
  if (std::ranges::min(rows) < 0) {
    fail(Errc::BadInput, "Row {} does not exist.", std::ranges::min(rows));
  }
  const Index count = std::max(before, std::ranges::max(rows) + 1);
  const std::vector<Index> place = places(rows, count);
  const Matrix vectors = FoldIn(model, side).rows(histories);

  Model next = model;
  if (of_users) {
    next.seen = replaced(model.seen, place, histories);
    next.P = replaced(model.P, place, vectors);
    if (count > before) next.users = lengthened(model.users, count);
    next.user_extra = lengthened(model.user_extra, count);
  } else {
    next.seen = transpose(replaced(transpose(model.seen), place, histories));
    next.Q = replaced(model.Q, place, vectors);
    if (count > before) next.items = lengthened(model.items, count);
    if (count > before) next.about_items = lengthened(model.about_items, count);
    if (count > before) next.links = lengthened(model.links, count);
    next.item_extra = lengthened(model.item_extra, count);
  }
  return next;
}

}  // namespace sqmax
