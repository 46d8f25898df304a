// IdMap and IdIndex on abseil's hash tables; all texts of a map are one block.
#include "sqmax/data/id_table.h"

#include <limits>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "core/fail.h"

namespace sqmax {
namespace {

std::uint32_t hash_of(std::string_view id) {
  return static_cast<std::uint32_t>(absl::Hash<std::string_view>()(id));
}

/// An id's hash and position. The texts are elsewhere, so that the table is small and grows
/// without looking at them.
struct Slot {
  std::uint32_t hash;
  Index position;
};

struct Probe {
  std::uint32_t hash;
  std::string_view id;
};

// abseil wants all of its 64 bits to differ.
struct SlotHash {
  using is_transparent = void;
  template <class Key>
  std::size_t operator()(const Key& key) const {
    const std::uint64_t spread = key.hash * std::uint64_t{0x9E3779B97F4A7C15};
    return spread ^ (spread >> 32U);
  }
};

struct Texts {
  std::vector<Offset> offsets = {0};
  std::vector<std::uint8_t> text;

  Index size() const { return static_cast<Index>(offsets.size()) - 1; }
  std::string_view operator[](Index position) const {
    const auto begin = at(offsets[at(position)]);
    return {reinterpret_cast<const char*>(text.data()) + begin,
            at(offsets[at(position) + 1]) - begin};
  }
  void push_back(std::string_view id) {
    text.insert(text.end(), id.begin(), id.end());
    offsets.push_back(static_cast<Offset>(text.size()));
  }
};

struct SlotEqual {
  using is_transparent = void;
  const Texts* texts;
  bool operator()(const Slot& a, const Slot& b) const { return a.position == b.position; }
  bool operator()(const Slot& slot, const Probe& probe) const {
    return slot.hash == probe.hash && (*texts)[slot.position] == probe.id;
  }
  bool operator()(const Probe& probe, const Slot& slot) const { return (*this)(slot, probe); }
};

}  // namespace

struct IdMap::State {
  Texts texts;
  absl::flat_hash_set<Slot, SlotHash, SlotEqual> slots{0, SlotHash{}, SlotEqual{&texts}};
};

IdMap::IdMap() : state_(std::make_unique<State>()) {}
IdMap::~IdMap() = default;
IdMap::IdMap(IdMap&&) noexcept = default;
IdMap& IdMap::operator=(IdMap&&) noexcept = default;

Index IdMap::insert(std::string_view id) {
  Texts& texts = state_->texts;
  const Probe probe{hash_of(id), id};
  const auto slot = state_->slots.lazy_emplace(probe, [&](const auto& construct) {
    if (texts.size() == std::numeric_limits<Index>::max()) {
      fail(Errc::BadInput, "There are more than 2^31 - 1 different ids on one side.");
    }
    construct(Slot{probe.hash, texts.size()});
    texts.push_back(id);
  });
  return slot->position;
}

std::optional<Index> IdMap::find(std::string_view id) const {
  const auto found = state_->slots.find(Probe{hash_of(id), id});
  if (found == state_->slots.end()) return std::nullopt;
  return found->position;
}

Index IdMap::size() const { return state_->texts.size(); }
std::string_view IdMap::operator[](Index position) const { return state_->texts[position]; }

IdTable IdMap::table() const { return {state_->texts.offsets, state_->texts.text}; }

IdTable IdMap::take_table() {
  Texts texts = std::move(state_->texts);
  state_ = std::make_unique<State>();
  return {std::move(texts.offsets), std::move(texts.text)};
}

std::size_t IdMap::memory() const {
  return state_->slots.capacity() * (sizeof(Slot) + 1) +
         state_->texts.offsets.capacity() * sizeof(Offset) + state_->texts.text.capacity();
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
