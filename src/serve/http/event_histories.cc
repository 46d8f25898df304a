// EventHistories: a map behind a lock that readers share.
#include "serve/http/event_histories.h"

#include <mutex>

namespace sqmax::http {

void EventHistories::add(std::span<const Event> events) {
  const std::unique_lock lock(mutex_);
  for (const Event& event : events) {
    History& history = all_[event.user];
    const auto [item, is_new] = history.known.insert(event.item);
    if (is_new) history.in_order.push_back(&*item);
  }
  any_ = !all_.empty();
}

std::vector<std::string> EventHistories::of(std::string_view user) const {
  if (!any_) return {};
  const std::shared_lock lock(mutex_);
  const auto found = all_.find(user);
  if (found == all_.end()) return {};
  std::vector<std::string> items;
  items.reserve(found->second.in_order.size());
  for (const std::string* item : found->second.in_order) items.push_back(*item);
  return items;
}

std::size_t EventHistories::users() const {
  const std::shared_lock lock(mutex_);
  return all_.size();
}

}  // namespace sqmax::http
