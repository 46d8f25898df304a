// Random search: the defaults, then points drawn evenly from the ranges.
#include "train/searches/searches.h"

namespace sqmax {

SearchSpec random_search() {
  const auto make = [](const SearchTask& task) -> Search {
    return [task](const SearchSpace& space, std::span<const Judged>, int proposed) {
      if (proposed == 0) return std::optional(task.starts.front());
      Random random(task.seed, Purpose::Search, static_cast<std::uint64_t>(proposed));
      return std::optional(space.draw(random));
    };
  };
  return {.name = "random", .title = "points drawn evenly from the declared ranges", .make = make};
}

}  // namespace sqmax
