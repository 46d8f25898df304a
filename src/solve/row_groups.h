// RowGroups: values of rows, sorted so that those of a row are next to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sqmax/core/index.h"

#include "core/fail.h"

namespace sqmax {

/// Which of `shares` a row belongs to: those of a share are looked at, or summed and moved, by one
/// task. Something of neighbouring rows is in the same cache line, so sixteen of them stay
/// together.
constexpr std::size_t share_of(Index row, Index shares) { return at(row / 16 % shares); }

/// `slots`, one for every row there may be, are −1 before the first value and again after `clear`:
/// several objects may share them as long as no row is in two of them. O(1) a value.
template <class Value>
class RowGroups {
 public:
  struct Group {
    Index row = 0;
    std::uint32_t count = 0;
    std::uint32_t end = 0;  // of its values, once they are in order
    std::uint32_t begin() const { return end - count; }
  };

  /// The group of a row, a new one if there is none. Groups are in the order in which they came.
  std::size_t slot_of(Index row, std::span<Index> slots) {
    Index& slot = slots[at(row)];
    if (slot < 0) {
      slot = static_cast<Index>(groups_.size());
      groups_.push_back({.row = row});
    }
    return at(slot);
  }

  void add(std::size_t slot, const Value& value) {
    ++groups_[slot].count;
    added_.push_back(value);
    slots_of_added_.push_back(static_cast<std::uint32_t>(slot));
  }

  /// A counting sort by group, which keeps the order of a row's values.
  void order() {
    expect(added_.size() <= std::numeric_limits<std::uint32_t>::max(), "values can be counted");
    std::uint32_t begin = 0;
    for (Group& group : groups_) {
      group.end = begin;
      begin += group.count;
    }
    ordered_.resize(added_.size());
    for (std::size_t i = 0; i < added_.size(); ++i) {
      ordered_[groups_[slots_of_added_[i]].end++] = added_[i];
    }
  }

  void clear(std::span<Index> slots) {
    for (const Group& group : groups_) slots[at(group.row)] = -1;
    groups_.clear();
    added_.clear();
    slots_of_added_.clear();
  }

  std::span<const Group> groups() const { return groups_; }
  /// As `order` left them: those of all rows, or of one.
  std::span<const Value> values() const { return ordered_; }
  std::span<const Value> values(const Group& group) const {
    return values().subspan(group.begin(), group.count);
  }

 private:
  std::vector<Group> groups_;
  std::vector<Value> added_;
  std::vector<std::uint32_t> slots_of_added_;
  std::vector<Value> ordered_;
};

}  // namespace sqmax
