// EventHistories: a map behind a lock that readers share.
#include "serve/http/event_histories.h"

#include <algorithm>
#include <mutex>

namespace sqmax::http {

void EventHistories::add(std::span<const Event> events) {
  const std::unique_lock lock(mutex_);
  for (const Event& event : events) {
    auto& items = items_[event.user];
    if (std::find(items.begin(), items.end(), event.item) == items.end()) {
      items.push_back(event.item);
    }
  }
  any_ = !items_.empty();
}

std::vector<std::string> EventHistories::of(std::string_view user) const {
  if (!any_) return {};
  const std::shared_lock lock(mutex_);
  const auto found = items_.find(user);
  return found == items_.end() ? std::vector<std::string>() : found->second;
}

std::size_t EventHistories::users() const {
  const std::shared_lock lock(mutex_);
  return items_.size();
}

}  // namespace sqmax::http
