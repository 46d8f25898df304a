// ItemSearch: first version, a scan.
#include "sqmax/serve/item_search.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "sqmax/core/index.h"

namespace sqmax {

struct ItemSearch::State {
  std::vector<std::string> ids;
  std::vector<std::string> titles;
  std::vector<Index> order;
};

ItemSearch::ItemSearch(const IdTable& ids, const ItemTable& table,
                       std::span<const Index> popularity) {
  auto state = std::make_unique<State>();
  for (Index y = 0; y < ids.size(); ++y) {
    state->ids.emplace_back(ids[y]);
    state->titles.emplace_back(table.value("title", y));
  }
  state->order.resize(state->ids.size());
  std::iota(state->order.begin(), state->order.end(), 0);
  std::ranges::stable_sort(state->order, std::greater<>(),
                           [&](Index y) { return popularity[at(y)]; });
  state_ = std::move(state);
}
ItemSearch::~ItemSearch() = default;
ItemSearch::ItemSearch(ItemSearch&&) noexcept = default;
ItemSearch& ItemSearch::operator=(ItemSearch&&) noexcept = default;

std::vector<Index> ItemSearch::find(std::string_view text, Index k) const {
  std::vector<std::pair<int, Index>> found;
  for (const Index y : state_->order) {
    const std::string& id = state_->ids[at(y)];
    const bool in_title = state_->titles[at(y)].find(text) != std::string::npos;
    const bool in_id = id.find(text) != std::string::npos;
    if (in_id || in_title) found.emplace_back(id == text ? 0 : id.starts_with(text) ? 1 : 2, y);
  }
  std::ranges::stable_sort(found, {}, &std::pair<int, Index>::first);
  found.resize(std::min(found.size(), at(k)));
  std::vector<Index> items;
  for (const auto& [rank, item] : found) items.push_back(item);
  return items;
}

}  // namespace sqmax
