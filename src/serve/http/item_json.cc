// Item objects, straight from the tables.
#include "serve/http/item_json.h"

#include "serve/http/json_text.h"

namespace sqmax::http {
namespace {

bool has_own_name(std::string_view column) { return column == "title" || column == "link"; }

void add_other_columns(std::string& out, const ItemTable& about, Index item) {
  bool any = false;
  for (std::size_t c = 0; c < about.columns.size(); ++c) {
    const std::string_view value = about.values[c][item];
    if (has_own_name(about.columns[c]) || value.empty()) continue;
    out += any ? ", " : ", \"columns\": {";
    any = true;
    add_text(out, about.columns[c]);
    out += ": ";
    add_text(out, value);
  }
  if (any) out += '}';
}

// A float has fewer digits than the double of the same value.
void add_score(std::string& out, double score) {
  out += ", \"score\": ";
  const auto narrow = static_cast<float>(score);
  if (static_cast<double>(narrow) == score) {
    add_number(out, narrow);
  } else {
    add_number(out, score);
  }
}

}  // namespace

void add_item(std::string& out, const Catalogue& catalogue, Index item, ItemNumbers numbers) {
  out += "{\"item\": ";
  add_text(out, catalogue.model().items[item]);
  for (std::size_t c = 0; c < catalogue.about().columns.size(); ++c) {
    const std::string& name = catalogue.about().columns[c];
    const std::string_view value = catalogue.about().values[c][item];
    if (!has_own_name(name) || value.empty()) continue;
    out += name == "title" ? ", \"title\": " : ", \"link\": ";
    add_text(out, value);
  }
  add_other_columns(out, catalogue.about(), item);
  if (numbers.popularity) {
    out += ", \"popularity\": ";
    add_number(out, *numbers.popularity);
  }
  if (numbers.score) add_score(out, *numbers.score);
  out += '}';
}

void add_list(std::string& out, const Catalogue& catalogue, std::span<const Ranked> list) {
  out += '[';
  for (const Ranked& ranked : list) {
    if (out.back() != '[') out += ", ";
    add_item(out, catalogue, ranked.item, {.score = ranked.score});
  }
  out += ']';
}

}  // namespace sqmax::http
