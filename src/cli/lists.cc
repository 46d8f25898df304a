// Ranked lists as text.
#include "cli/lists.h"

#include <fmt/format.h>

#include "sqmax/report/table.h"

#include "cli/json.h"

namespace sqmax::cli {

ItemTable about_items(const Model& model, const std::string& path) {
  return path.empty() ? model.about_items : read_item_table(path, model.items);
}

std::string json_line(const std::string& whose, const std::string& id, const std::string& what,
                      std::span<const Ranked> list, const IdTable& ids) {
  Json entries = Json::array();
  for (const Ranked& ranked : list) {
    entries.push_back({{what, std::string(ids[ranked.item])}, {"score", ranked.score}});
  }
  const Json line = {{whose, id}, {what + "s", entries}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string tsv_lines(const std::string& id, std::span<const Ranked> list, const IdTable& items) {
  std::string text;
  for (const Ranked& ranked : list) {
    text += fmt::format("{}\t{}\t{:.6g}\n", id, items[ranked.item], ranked.score);
  }
  return text;
}

std::string list_text(const std::string& heading, const std::string& what,
                      std::span<const Ranked> list, const IdTable& ids, const ItemTable& about) {
  Table table{.header = {"", what, "score", ""}, .rows = {}};
  for (std::size_t place = 0; place < list.size(); ++place) {
    const Index item = list[place].item;
    table.rows.push_back({std::to_string(place + 1), std::string(ids[item]),
                          fmt::format("{:.4f}", list[place].score),
                          std::string(about.value("title", item))});
  }
  return heading + "\n" + to_text(table) + "\n";
}

}  // namespace sqmax::cli
