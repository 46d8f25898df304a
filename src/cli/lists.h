// Ranked lists as text: a table for a person, a JSON line or TSV rows for programs.
#pragma once

#include <span>
#include <string>

#include "sqmax/rank/top_k.h"

#include "cli/ids.h"
#include "cli/titles.h"

namespace sqmax::cli {

/// {"user": id, "items": [{"item": id, "score": s}, …]} and a line end; `whose` is the side of the
/// id and `what` the side of the list, "user" or "item".
std::string json_line(const std::string& whose, const std::string& id, const std::string& what,
                      std::span<const Ranked> list, const IdTable& ids);

/// user TAB item TAB score, a line each.
std::string tsv_lines(const std::string& id, std::span<const Ranked> list, const IdTable& items);

/// A heading and an aligned table, with titles where there are any.
std::string list_text(const std::string& heading, const std::string& what,
                      std::span<const Ranked> list, const IdTable& ids, const Titles& titles);

}  // namespace sqmax::cli
