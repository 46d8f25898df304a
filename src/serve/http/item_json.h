// Item objects: {"item": id, "title": …, "link": …, "columns": {…}, "score": …}.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sqmax/rank/top_k.h"

#include "serve/http/catalogue.h"

namespace sqmax::http {

/// What stands beside the words; absent: not said.
struct ItemNumbers {
  std::optional<double> score;
  std::optional<Index> popularity;
};

void add_item(std::string& out, const Catalogue& catalogue, Index item, ItemNumbers numbers = {});

/// [item, item, …] with scores
void add_list(std::string& out, const Catalogue& catalogue, std::span<const Ranked> list);

}  // namespace sqmax::http
