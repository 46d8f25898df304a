// Lazy: a value that is made when somebody asks for it.
#pragma once

#include <memory>
#include <mutex>

namespace sqmax {

/// Made by the first who asks, while the others wait. What `make` throws is its caller's, and the
/// next one tries again. (std::call_once promises that too, but under ThreadSanitizer all others
/// wait for ever.)
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(const Make& make) const {
    const std::lock_guard lock(mutex_);
    if (value_ == nullptr) value_.reset(new T(make()));
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace sqmax
