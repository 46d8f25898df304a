// IdMap and IdIndex on abseil's flat_hash_map; texts live in blocks that never move.
#include "sqmax/data/id_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include <absl/container/flat_hash_map.h>

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

// Copies texts into large blocks: views of them stay valid while the arena lives.
class TextArena {
 public:
  std::string_view keep(std::string_view text) {
    if (text.size() > left_) grow(std::max(text.size(), kBlockBytes));
    char* begin = next_;
    std::copy(text.begin(), text.end(), begin);
    next_ += text.size();
    left_ -= text.size();
    return {begin, text.size()};
  }

 private:
  void grow(std::size_t bytes) {
    blocks_.push_back(std::make_unique<char[]>(bytes));
    next_ = blocks_.back().get();
    left_ = bytes;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace

struct IdMap::State {
  absl::flat_hash_map<std::string_view, Index> positions;
  std::vector<std::string_view> ids;
  TextArena arena;
};

IdMap::IdMap() : state_(std::make_unique<State>()) {}
IdMap::~IdMap() = default;
IdMap::IdMap(IdMap&&) noexcept = default;
IdMap& IdMap::operator=(IdMap&&) noexcept = default;

Index IdMap::insert(std::string_view id) {
  const auto found = state_->positions.find(id);
  if (found != state_->positions.end()) return found->second;
  if (state_->ids.size() >= at(std::numeric_limits<Index>::max())) {
    fail(Errc::BadInput, "There are more than 2^31 - 1 different ids on one side.");
  }
  const auto position = static_cast<Index>(state_->ids.size());
  const std::string_view kept = state_->arena.keep(id);
  state_->positions.emplace(kept, position);
  state_->ids.push_back(kept);
  return position;
}

std::optional<Index> IdMap::find(std::string_view id) const {
  const auto found = state_->positions.find(id);
  if (found == state_->positions.end()) return std::nullopt;
  return found->second;
}

Index IdMap::size() const { return static_cast<Index>(state_->ids.size()); }
std::string_view IdMap::operator[](Index position) const { return state_->ids[at(position)]; }

IdTable IdMap::table(std::span<const Index> kept) const {
  std::vector<Offset> offsets = {0};
  offsets.reserve(kept.size() + 1);
  for (const Index position : kept) {
    offsets.push_back(offsets.back() + static_cast<Offset>(state_->ids[at(position)].size()));
  }
  std::vector<std::uint8_t> text(at(offsets.back()));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::string_view id = state_->ids[at(kept[i])];
    if (!id.empty()) std::memcpy(text.data() + offsets[i], id.data(), id.size());
  }
  return {std::move(offsets), std::move(text)};
}

IdTable IdMap::table() const {
  std::vector<Index> all(state_->ids.size());
  std::iota(all.begin(), all.end(), 0);
  return table(all);
}

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
