// ArrayBuilder: an Array made from front to back, in memory or, past its limit, in a file.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sqmax/core/array.h"
#include "sqmax/core/workspace.h"

#include "core/spill_file.h"

namespace sqmax {

template <class T>
class ArrayBuilder {
 public:
  explicit ArrayBuilder(Workspace workspace = {}) : workspace_(std::move(workspace)) {}

  std::size_t size() const { return written_ + values_.size(); }
  bool empty() const { return size() == 0; }

  /// Room for `count` values in all. What would not fit goes to a file from here on.
  void reserve(std::size_t count) {
    if (!file_ && count > values_.capacity()) grow(count);
  }

  /// Room for `added` more. When there is none, as much is made as `total` steps will need if they
  /// are like the `done` ones: doubling would take three times the memory at its last step, and
  /// pages that stay unused cost nothing. But not many times what is there: a file may have a hole.
  void reserve_for(std::size_t added, double done, double total) {
    if (file_ || added <= values_.capacity() - values_.size()) return;
    const std::size_t needed = values_.size() + added;
    const double times = done > 0.0 ? std::clamp(1.03 * (total / done), 1.25, kMostTimes) : 1.25;
    reserve(static_cast<std::size_t>(std::ceil(static_cast<double>(needed) * times)));
  }

  void push_back(const T& value) {
    if (values_.size() == values_.capacity()) make_room(1);
    values_.push_back(value);
  }

  void append(std::span<const T> values) {
    if (values.size() > values_.capacity() - values_.size()) make_room(values.size());
    if (file_ && values.size() > values_.capacity()) {
      write(values);
    } else {
      values_.insert(values_.end(), values.begin(), values.end());
    }
  }

  void append(std::size_t count, const T& value) {
    for (std::size_t i = 0; i < count; ++i) push_back(value);
  }

  /// Takes the vector over instead of copying it, if it is the first and fits.
  void append(std::vector<T>&& values) {
    if (empty() && !file_) {
      token_ = {};
      token_ = workspace_.take(values.capacity() * sizeof(T), Workspace::Use::InOrder);
      if (token_) {
        values_ = std::move(values);
        return;
      }
    }
    append(std::span<const T>(values));
  }

  /// The builder is as new afterwards.
  Array<T> finish() {
    Array<T> array;
    if (file_) {
      flush();
      const SpillFile::Mapping mapping = file_->map();
      array = {
          mapping.keeper,
          {reinterpret_cast<const T*>(mapping.bytes.data()), mapping.bytes.size() / sizeof(T)}};
    } else {
      auto owner = std::make_shared<Owned>(Owned{std::move(values_), std::move(token_)});
      array = {owner, std::span<const T>(owner->values)};
    }
    *this = ArrayBuilder(workspace_);
    return array;
  }

 private:
  static constexpr double kMostTimes = 64.0;

  struct Owned {
    std::vector<T> values;
    MemoryToken token;
  };

  void make_room(std::size_t count) {
    if (file_) {
      flush();
    } else {
      grow(std::max(values_.size() + count, 2 * values_.size()));
    }
  }

  // While values move to a larger block, both blocks are there.
  void grow(std::size_t capacity) {
    if (auto token = workspace_.take(capacity * sizeof(T), Workspace::Use::InOrder)) {
      values_.reserve(capacity);
      token_ = std::move(token);
      return;
    }
    file_ = std::make_unique<SpillFile>(workspace_);
    flush();
    values_ = {};
    values_.reserve(workspace_.share(1.0 / 4096, 512, std::size_t{1} << 16) / sizeof(T));
    token_ = {};
  }

  void flush() {
    write(values_);
    values_.clear();
  }

  void write(std::span<const T> values) {
    file_->append(std::as_bytes(values));
    written_ += values.size();
  }

  Workspace workspace_;
  MemoryToken token_;
  std::vector<T> values_;  // all of them, or the last ones, not yet in the file
  std::unique_ptr<SpillFile> file_;
  std::size_t written_ = 0;
};

}  // namespace sqmax
