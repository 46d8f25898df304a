// Histories, candidates and exclusions by position.
#include "serve/http/list_request.h"

#include <algorithm>
#include <map>

#include "serve/http/limits.h"
#include "serve/http/refusal.h"

namespace sqmax::http {
namespace {

using Texts = std::vector<std::string>;

std::vector<Index> positions(const Texts& ids, const Catalogue& catalogue,
                             const std::string& field) {
  std::vector<Index> found;
  found.reserve(ids.size());
  for (const std::string& id : ids) {
    found.push_back(item_position(id, catalogue, fmt::format("{}[{}]", field, found.size())));
  }
  return found;
}

std::vector<Index> as_set(std::vector<Index> items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

// An item that is named twice has both weights.
void set_weighted_history(ListRequest& request, const std::vector<Index>& items,
                          const std::vector<double>& weights, const std::string& prefix) {
  if (weights.size() != items.size()) {
    refuse("wrong_length", prefix + "weights",
           "'{}weights' must have one number for each of the {} items of the history.", prefix,
           items.size());
  }
  std::map<Index, double> total;
  for (std::size_t i = 0; i < items.size(); ++i) total[items[i]] += weights[i];
  for (const auto& [item, weight] : total) {
    request.history.push_back(item);
    request.weights.push_back(static_cast<float>(weight));
  }
}

void set_history(ListRequest& request, const Values& values, const Catalogue& catalogue,
                 const std::string& prefix) {
  const auto items = positions(values.get_or<Texts>("history", {}), catalogue, prefix + "history");
  if (const auto* weights = values.get<std::vector<double>>("weights")) {
    set_weighted_history(request, items, *weights, prefix);
  } else {
    request.history = as_set(items);
  }
}

// Events of items that this model does not have wait for the next one.
std::vector<Index> known_items(const Texts& ids, const Catalogue& catalogue) {
  std::vector<Index> found;
  for (const std::string& id : ids) {
    if (const auto item = catalogue.item(id)) found.push_back(*item);
  }
  return as_set(found);
}

void set_user(ListRequest& request, const std::string& id, const Catalogue& catalogue,
              const EventHistories& events, const std::string& prefix) {
  const auto user = catalogue.user(id);
  const Texts event_ids = events.of(id);
  if (!user && event_ids.empty()) {
    throw Refusal(404, "unknown_user", fmt::format("There is no user '{}'.", shown(id)),
                  prefix + "user");
  }
  const std::vector<Index> later = known_items(event_ids, catalogue);
  const auto seen = user ? catalogue.model().seen.view().row(*user) : std::span<const Index>();
  if (user && std::includes(seen.begin(), seen.end(), later.begin(), later.end())) {
    request.user = user;
    return;
  }
  std::set_union(seen.begin(), seen.end(), later.begin(), later.end(),
                 std::back_inserter(request.history));
}

}  // namespace

Index item_position(const std::string& id, const Catalogue& catalogue, const std::string& field,
                    int status) {
  if (const auto item = catalogue.item(id)) return *item;
  throw Refusal(status, "unknown_item",
                fmt::format("There is no item '{}', which '{}' names.", shown(id), field), field);
}

std::vector<Field> list_fields() {
  return {
      {.name = "user",
       .kind = Kind::Text,
       .help = "the id of somebody known; instead of a history",
       .is_choice = true},
      {.name = "history",
       .kind = Kind::Texts,
       .help = "ids of items that somebody has; anybody is folded in exactly",
       .most = kMostIds,
       .is_choice = true},
      {.name = "weights",
       .kind = Kind::Numbers,
       .help = "one for each item of the history, 1 if absent",
       .low = -kLargestWeight,
       .high = kLargestWeight,
       .most = kMostIds,
       .needs = "history"},
      {.name = "k",
       .kind = Kind::Whole,
       .help = "how many items",
       .low = 1,
       .high = kMostItems,
       .fallback = "10"},
      {.name = "exclude",
       .kind = Kind::Texts,
       .help = "ids of items that are never recommended",
       .most = kMostIds},
      {.name = "only",
       .kind = Kind::Texts,
       .help = "ids of the only items that may be recommended",
       .most = kMostIds},
      {.name = "blend",
       .kind = Kind::Number,
       .help = "τ', from 0 (discovery) to 1 (popularity) and more, for a model with a prior",
       .low = 0,
       .high = 2},
      {.name = "allow_seen",
       .kind = Kind::Flag,
       .help = "whether items of the history may be recommended again",
       .fallback = "false"},
  };
}

ListRequest list_request(const Values& values, const Catalogue& catalogue,
                         const EventHistories& events, const std::string& prefix) {
  ListRequest request;
  const auto* user = values.get<std::string>("user");
  if (user != nullptr && (values.has("history") || values.has("weights"))) {
    refuse("contradiction", prefix + "user", "'{}user' and a history exclude each other.", prefix);
  }
  if (user == nullptr && !values.has("history")) {
    refuse("missing", prefix + "history", "'{}history' or '{}user' is missing.", prefix, prefix);
  }
  if (user != nullptr) {
    set_user(request, *user, catalogue, events, prefix);
  } else {
    set_history(request, values, catalogue, prefix);
  }
  request.k = static_cast<Index>(values.get_or<std::int64_t>("k", request.k));
  request.restricted = values.has("only");
  request.only = as_set(positions(values.get_or<Texts>("only", {}), catalogue, prefix + "only"));
  request.exclude =
      as_set(positions(values.get_or<Texts>("exclude", {}), catalogue, prefix + "exclude"));
  request.allow_seen = values.get_or<bool>("allow_seen", false);
  if (const auto* blend = values.get<double>("blend")) request.blend = *blend;
  return request;
}

}  // namespace sqmax::http
