// Any small problem, by every solver of every squared loss: the objective is that of two loops in
// double, neither an alternation nor a Newton step goes up, and all numbers are finite.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sqmax/core/parallel.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "tests/support/dense_loss.h"
#include "tests/support/squared_cases.h"

namespace {

using sqmax::ByteSource;
using sqmax::Index;
using sqmax::require;
using sqmax::SolveEvent;

std::vector<std::vector<Index>> rows_of(ByteSource& bytes, Index users, Index items) {
  std::vector<std::vector<Index>> rows(sqmax::at(users));
  const int share = 1 + bytes.up_to(7);
  for (auto& row : rows) {
    for (Index y = 0; y < items; ++y) {
      if (bytes.next() % 8 < share) row.push_back(y);
    }
  }
  rows.front() = {0};  // there is at least one pair
  return rows;
}

bool is_close(double a, double b, double size) { return std::abs(a - b) <= 2e-3 * size + 1e-6; }

void check(const sqmax::SquaredCase& each, const sqmax::Problem& problem,
           const sqmax::SolveOptions& options) {
  double before = INFINITY;
  const bool descends = each.solver == "als" || each.solver == "spectral" ||
                        each.solver == "subspace" || each.solver == "newton-cg";
  const auto listen = [&](const SolveEvent& event) {
    if (event.P.rows == 0) return sqmax::Next::Continue;
    const double dense = sqmax::dense_loss(problem.form, problem.by_user, event.P, event.Q);
    const double size = std::abs(dense) + std::abs(event.objective->every_pair) +
                        std::abs(event.objective->observed) + event.objective->ridge;
    require(is_close(event.objective->total(), dense, size));
    if (descends) require(dense <= before + 1e-3 * size + 1e-6);
    before = dense;
    return sqmax::Next::Continue;
  };
  const sqmax::Solution solution = each.run(problem, options, listen);
  for (const float value : solution.P.values()) require(std::isfinite(value));
  for (const float value : solution.Q.values()) require(std::isfinite(value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static const auto cases = sqmax::squared_cases();
  ByteSource source({bytes, size});
  sqmax::SquaredCase each = cases[source.next() % cases.size()];
  const auto users = static_cast<Index>(1 + source.up_to(11));
  const auto items = static_cast<Index>(1 + source.up_to(11));
  const auto exponent = static_cast<double>(source.up_to(8)) - 5.0;
  each.loss.settings["lambda"] = std::pow(10.0, exponent);
  const sqmax::SolveOptions options{.rank = 1 + source.up_to(std::min(users, items) - 1),
                                    .iterations = 3,
                                    .tolerance = 0.0,
                                    .seed = source.next(),
                                    .report_objective = true};
  const sqmax::Csr by_user = sqmax::csr_of(items, rows_of(source, users, items));
  const sqmax::Csr by_item = sqmax::transpose(by_user);
  const sqmax::QuadraticForm form = each.form(by_user);
  const sqmax::Problem problem{form, by_user, by_item};
  const auto spec = std::ranges::find(sqmax::solvers(), each.solver, &sqmax::SolverSpec::name);
  if (sqmax::can_minimise(*spec, problem)) check(each, problem, options);
  return 0;
}
