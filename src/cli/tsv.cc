// TSV.
#include "cli/tsv.h"

#include <nlohmann/json.hpp>

#include "core/fail.h"

namespace sqmax::cli {
namespace {

/// As JSON writes it: on one line.
std::string shown(std::string_view id) {
  const nlohmann::json text = id;
  return text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void check_fits_tsv(const IdTable& ids, std::string_view instead) {
  for (Index i = 0; i < ids.size(); ++i) {
    if (ids[i].find_first_of("\t\n\r") == std::string_view::npos) continue;
    fail(Errc::BadInput, "The id {} holds a tab or a line end, which a TSV cannot; {}.",
         shown(ids[i]), instead);
  }
}

}  // namespace sqmax::cli
