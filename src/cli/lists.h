// Ranked lists as text: a table for a person, a JSON line or TSV rows for programs.
#pragma once

#include <span>
#include <string>

#include "sqmax/data/item_table.h"
#include "sqmax/model/model.h"
#include "sqmax/rank/top_k.h"

#include "cli/ids.h"

namespace sqmax::cli {

/// What --items means for commands that show lists.
inline constexpr const char* kItemsHelp =
    "a table of item ids and titles, to show beside the ids [what the model has]";

/// The table of `path`, or the model's own if it is empty.
ItemTable about_items(const Model& model, const std::string& path);

/// {"user": id, "items": [{"item": id, "score": s}, …]} and a line end; `whose` is the side of the
/// id and `what` the side of the list, "user" or "item".
std::string json_line(const std::string& whose, const std::string& id, const std::string& what,
                      std::span<const Ranked> list, const IdTable& ids);

/// user TAB item TAB score, a line each.
std::string tsv_lines(const std::string& id, std::span<const Ranked> list, const IdTable& items);

/// A heading and an aligned table, with titles where there are any.
std::string list_text(const std::string& heading, const std::string& what,
                      std::span<const Ranked> list, const IdTable& ids, const ItemTable& about);

}  // namespace sqmax::cli
