// LinkShift: sums by panel, in the order in which panels are scored.
#include "rank/link_shift.h"

#include <algorithm>

#include "kernels/score_block.h"

namespace sqmax {

LinkShift::LinkShift(const ItemScorer& scorer, Offset users) : scorer_(scorer) {
  if (scorer.links().empty()) return;
  users_.resize(at(users));
  slot_of_panel_.assign(at(scorer.panels()), -1);
  shift_.resize(at(users * kPanelItems));
}

void LinkShift::add_user(Offset u, std::span<const std::span<const Index>> history,
                         std::span<const float> weights) {
  User& user = users_[at(u)];
  std::size_t place = 0;
  for (const auto part : history) {
    for (const Index item : part) {
      add_links_of(item, weights.empty() ? 1.0f : weights[place], user);
      ++place;
    }
  }
  for (const Reached& reached : user.reached) slot_of_panel_[at(reached.panel)] = -1;
  std::ranges::sort(user.reached, {}, &Reached::panel);
}

void LinkShift::add_links_of(Index item, float weight, User& user) {
  const Links& links = scorer_.links();
  const auto begin = at(links.targets.offsets[at(item)]);
  const auto end = at(links.targets.offsets[at(item) + 1]);
  for (std::size_t link = begin; link < end; ++link) {
    const Index target = links.targets.indices[link];
    Index& slot = slot_of_panel_[at(target / kPanelItems)];
    if (slot < 0) {
      slot = static_cast<Index>(user.reached.size());
      user.reached.push_back({target / kPanelItems, slot});
      user.sums.resize(user.sums.size() + at(kPanelItems));
    }
    user.sums[at(slot) * at(kPanelItems) + at(target % kPanelItems)] += weight * links.values[link];
  }
}

const float* LinkShift::of_panel(Index panel) {
  bool any = false;
  for (std::size_t u = 0; u < users_.size(); ++u) {
    User& user = users_[u];
    while (user.next < user.reached.size() && user.reached[user.next].panel < panel) ++user.next;
    float* row = shift_.data() + u * at(kPanelItems);
    if (user.next < user.reached.size() && user.reached[user.next].panel == panel) {
      std::copy_n(user.sums.data() + at(user.reached[user.next].slot) * at(kPanelItems),
                  kPanelItems, row);
      any = true;
    } else {
      std::fill_n(row, kPanelItems, 0.0f);
    }
  }
  return any ? shift_.data() : nullptr;
}

}  // namespace sqmax
