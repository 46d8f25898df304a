// LinkShift: a counting sort of links by panel.
#include "rank/link_shift.h"

#include <numeric>

#include "kernels/score_block.h"

namespace sqmax {

LinkShift::LinkShift(const ItemScorer& scorer, Offset users) : scorer_(scorer) {
  if (!scorer.links().empty()) shift_.resize(at(users * kPanelItems));
}

void LinkShift::add_user(Offset u, std::span<const std::span<const Index>> history,
                         std::span<const float> weights) {
  const Links& links = scorer_.links();
  const auto first = static_cast<Index>(u * kPanelItems);
  std::size_t place = 0;
  for (const auto part : history) {
    for (const Index item : part) {
      const float weight = weights.empty() ? 1.0f : weights[place++];
      const auto end = at(links.targets.offsets[at(item) + 1]);
      for (auto link = at(links.targets.offsets[at(item)]); link < end; ++link) {
        const Index target = links.targets.indices[link];
        added_.push_back({.panel = target / kPanelItems,
                          .place = first + target % kPanelItems,
                          .value = weight * links.values[link]});
      }
    }
  }
}

// Stable: what a user's items add to one target is summed in the order of the history.
void LinkShift::arrange() {
  if (added_.empty()) return;
  begins_.assign(at(scorer_.panels()) + 1, 0);
  for (const Entry& entry : added_) ++begins_[at(entry.panel) + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  ordered_.resize(added_.size());
  for (const Entry& entry : added_) ordered_[next[at(entry.panel)]++] = entry;
}

std::span<const LinkShift::Entry> LinkShift::entries_of(Index panel) const {
  const std::size_t begin = begins_[at(panel)];
  return std::span(ordered_).subspan(begin, begins_[at(panel) + 1] - begin);
}

const float* LinkShift::of_panel(Index panel) {
  if (ordered_.empty()) return nullptr;
  for (const Entry& entry : at_hand_) shift_[at(entry.place)] = 0.0f;
  at_hand_ = entries_of(panel);
  for (const Entry& entry : at_hand_) shift_[at(entry.place)] += entry.value;
  return at_hand_.empty() ? nullptr : shift_.data();
}

}  // namespace sqmax
