// fit_links(): the items are independent of each other, given the vectors.
#include "sqmax/solve/links.h"

#include <algorithm>
#include <numeric>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "solve/link_solver.h"

namespace sqmax {
namespace {

constexpr Offset kBlocksBetween = 16;  // two times that progress is told of

// From the links to each item to those from each item.
Links by_source(const std::vector<std::vector<Link>>& links_to) {
  const auto N = static_cast<Index>(links_to.size());
  std::vector<Offset> offsets(links_to.size() + 1);
  for (const auto& links : links_to) {
    for (const Link& link : links) ++offsets[at(link.source) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Index> targets(at(offsets.back()));
  std::vector<float> values(at(offsets.back()));
  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  for (Index y = 0; y < N; ++y) {
    for (const Link& link : links_to[at(y)]) {
      const std::size_t place = at(next[at(link.source)]++);
      targets[place] = y;
      values[place] = link.value;
    }
  }
  return {.targets = {N, N, std::move(offsets), std::move(targets)}, .values = std::move(values)};
}

}  // namespace

Links fit_links(const Problem& problem, ConstMatrix P, ConstMatrix Q, const LinkOptions& options,
                const OnProgress& progress) {
  const QuadraticForm& form = problem.form;
  expect(form.users.interaction == 0.0 && form.items.interaction == 0.0,
         "links are fitted to losses without interaction");
  expect(options.count <= kMostLinks && options.count >= 1, "the number of links fits a word");
  const LinkSetting setting(problem, P, Q, options);
  std::vector<std::vector<Link>> links_to(at(Q.rows));
  const Offset grain = grain_for(Q.rows, 16, 256);
  for (Offset begin = 0; begin < Q.rows; begin += kBlocksBetween * grain) {
    const Offset count = std::min(Q.rows - begin, kBlocksBetween * grain);
    const ProgressEvent event{.stage = "linking", .done = begin, .total = Q.rows, .detail = ""};
    if (report(progress, event) == Next::Stop) return {};
    parallel_blocks(count, grain, [&](const Block& block) {
      LinkSolver solver(setting);
      for (Offset y = begin + block.begin; y < begin + block.end; ++y) {
        links_to[at(y)] = solver.links_to(static_cast<Index>(y));
      }
    });
  }
  return by_source(links_to);
}

}  // namespace sqmax
