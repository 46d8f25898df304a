// The searches by name.
#include <algorithm>

#include <fmt/ranges.h>

#include "core/fail.h"
#include "train/searches/searches.h"

namespace sqmax {

std::span<const SearchSpec> searches() {
  static const std::vector<SearchSpec> all = {guided_search(), random_search(), grid_search()};
  return all;
}

const SearchSpec& find_search(std::string_view name) {
  const auto found = std::ranges::find(searches(), name, &SearchSpec::name);
  if (found != searches().end()) return *found;
  std::vector<std::string> names;
  for (const SearchSpec& search : searches()) names.push_back(search.name);
  fail(Errc::BadOption, "There is no search '{}'; there are {}.", name, fmt::join(names, ", "));
}

}  // namespace sqmax
