// RecordBlock: local ids and the checks of an id.
#include "data/read/record_block.h"

#include <algorithm>

#include <fmt/core.h>

#include "data/read/values.h"

namespace sqmax {
namespace {

/// Only new ids are looked at: a known one was good.
const char* flaw_of(std::string_view id) {
  if (id.empty()) return "is empty";
  if (id.find('\0') != std::string_view::npos) return "has a NUL byte";
  return is_valid_utf8(id) ? nullptr : "is not valid UTF-8";
}

}  // namespace

void LocalIds::clear() {
  slots_.clear();
  ids_.clear();
  last_ = kUnknown;
}

Index LocalIds::find(std::string_view id) {
  const IdKey key = key_of(id);
  const auto is_text = [&](Index position) { return ids_[at(position)] == id; };
  if (last_ != kUnknown && key == key_ && (!key.is_long() || is_text(last_))) return last_;
  key_ = key;
  return last_ = slots_.find(key, is_text);
}

Index LocalIds::insert(std::string_view id) {
  last_ = static_cast<Index>(ids_.size());
  slots_.insert(key_, last_);
  ids_.push_back(id);
  return last_;
}

void RatingRange::add(const RatingRange& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

void RecordBlock::clear() {
  user_ids.clear();
  item_ids.clear();
  users.clear();
  items.clear();
  times.clear();
  parts.clear();
  lines = 0;
  blank_lines = 0;
  bytes = 0;
  bad_lines = 0;
  first_bad_lines.clear();
  dropped = {};
  ratings = {};
  fractional_times = 0;
  other_delimiter_lines = 0;
  unescaped.clear();
}

void RecordBlock::bad(std::string reason) {
  ++bad_lines;
  if (first_bad_lines.size() < kBadLinesKept) first_bad_lines.push_back({lines, std::move(reason)});
}

bool RecordBlock::add(std::string_view user, std::string_view item) {
  Index u = user_ids.find(user);
  Index i = item_ids.find(item);
  const char* user_flaw = u == LocalIds::kUnknown ? flaw_of(user) : nullptr;
  const char* item_flaw = i == LocalIds::kUnknown ? flaw_of(item) : nullptr;
  if (user_flaw != nullptr || item_flaw != nullptr) {
    bad(user_flaw != nullptr ? fmt::format("the user {}", user_flaw)
                             : fmt::format("the item {}", item_flaw));
    return false;
  }
  if (u == LocalIds::kUnknown) u = user_ids.insert(user);
  if (i == LocalIds::kUnknown) i = item_ids.insert(item);
  users.push_back(u);
  items.push_back(i);
  return true;
}

}  // namespace sqmax
