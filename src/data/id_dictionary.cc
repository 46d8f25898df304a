// IdDictionary.
#include "data/id_dictionary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr std::size_t kAhead = 16;  // ids: far enough for the memory, few enough for the cache

}  // namespace

void fail_for_too_many_ids() {
  fail(Errc::BadInput, "There are more than {} different ids on one side.", kMostIds);
}

Index IdDictionary::insert(std::string_view id, const IdKey& key) {
  const Index found = find(id, key);
  if (found != IdSlots::kUnknown) return found;
  const Index position = size();
  if (position == kMostIds) fail_for_too_many_ids();
  slots_.insert(key, position);
  text_.insert(text_.end(), id.begin(), id.end());
  offsets_.push_back(static_cast<Offset>(text_.size()));
  return position;
}

// A large table is in no cache: a key is asked for some ids before it is looked up.
void IdDictionary::insert(std::span<const std::string_view> ids, std::vector<Index>& positions) {
  std::array<IdKey, kAhead> keys;
  const auto ask = [&](std::size_t i) {
    keys[i % kAhead] = key_of(ids[i]);
    slots_.prefetch(keys[i % kAhead]);
  };
  for (std::size_t i = 0; i < std::min(kAhead, ids.size()); ++i) ask(i);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    positions.push_back(insert(ids[i], keys[i % kAhead]));
    if (i + kAhead < ids.size()) ask(i + kAhead);
  }
}

std::optional<Index> IdDictionary::find(std::string_view id) const {
  const Index found = find(id, key_of(id));
  return found == IdSlots::kUnknown ? std::nullopt : std::optional(found);
}

std::size_t IdDictionary::memory() const {
  return slots_.memory() + offsets_.capacity() * sizeof(Offset) + text_.capacity();
}

IdTable IdDictionary::take_table() {
  IdDictionary taken = std::exchange(*this, {});
  return {std::move(taken.offsets_), std::move(taken.text_)};
}

}  // namespace sqmax
