// IdMap and IdIndex.
#include "sqmax/data/id_table.h"

#include <absl/container/flat_hash_map.h>

#include "data/id_dictionary.h"

namespace sqmax {

struct IdMap::State {
  IdDictionary ids;
};

IdMap::IdMap() : state_(std::make_unique<State>()) {}
IdMap::~IdMap() = default;
IdMap::IdMap(IdMap&&) noexcept = default;
IdMap& IdMap::operator=(IdMap&&) noexcept = default;

Index IdMap::insert(std::string_view id) { return state_->ids.insert(id); }
std::optional<Index> IdMap::find(std::string_view id) const { return state_->ids.find(id); }
Index IdMap::size() const { return state_->ids.size(); }
std::string_view IdMap::operator[](Index position) const { return state_->ids[position]; }
IdTable IdMap::table() const { return state_->ids.table(); }
IdTable IdMap::take_table() { return state_->ids.take_table(); }
std::size_t IdMap::memory() const { return state_->ids.memory(); }

struct IdIndex::State {
  absl::flat_hash_map<std::string_view, Index> positions;
};

IdIndex::IdIndex(const IdTable& table) : state_(std::make_unique<State>()) {
  state_->positions.reserve(at(table.size()));
  for (Index i = 0; i < table.size(); ++i) state_->positions.emplace(table[i], i);
}
IdIndex::~IdIndex() = default;
IdIndex::IdIndex(IdIndex&&) noexcept = default;
IdIndex& IdIndex::operator=(IdIndex&&) noexcept = default;

std::optional<Index> IdIndex::find(std::string_view id) const {
  const auto found = state_->positions.find(id);
  if (found == state_->positions.end()) return std::nullopt;
  return found->second;
}

}  // namespace sqmax
