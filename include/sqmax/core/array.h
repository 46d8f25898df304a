// Array: an immutable block of values, owned or borrowed from a mapped file.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sqmax {

/// Copies are cheap: they share the storage, which lives as long as its last Array.
template <class T>
class Array {
 public:
  Array() = default;
  template <class Allocator>
  Array(std::vector<T, Allocator> values)  // NOLINT(google-explicit-constructor): it is an Array
      : Array(std::make_shared<const std::vector<T, Allocator>>(std::move(values))) {}
  /// `values` must stay valid while `keeper` lives.
  Array(std::shared_ptr<const void> keeper, std::span<const T> values)
      : keeper_(std::move(keeper)), values_(values) {}

  std::span<const T> span() const { return values_; }
  operator std::span<const T>() const { return values_; }  // NOLINT(google-explicit-constructor)
  const T* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  const T& operator[](std::size_t i) const { return values_[i]; }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  template <class Vector>
  explicit Array(std::shared_ptr<Vector> owner)
      : keeper_(owner), values_(owner->data(), owner->size()) {}

  std::shared_ptr<const void> keeper_;
  std::span<const T> values_;
};

}  // namespace sqmax
