// EventHistories: what people did since the model was trained, by ids: it outlives models.
#pragma once

#include <atomic>
#include <map>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sqmax::http {

struct Event {
  std::string user;
  std::string item;
};

/// Called by many threads.
class EventHistories {
 public:
  void add(std::span<const Event> events);
  /// The items of a user's events, distinct, oldest first; empty: there are none.
  std::vector<std::string> of(std::string_view user) const;
  std::size_t users() const;

 private:
  mutable std::shared_mutex mutex_;
  std::atomic<bool> any_ = false;
  struct History {
    std::unordered_set<std::string> known;
    std::vector<const std::string*> in_order;  // into `known`, whose elements stay where they are
  };
  std::map<std::string, History, std::less<>> all_;
};

}  // namespace sqmax::http
