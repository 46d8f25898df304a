// Any small problem, by every solver of every squared loss: the objective is that of two loops in
// double, neither an alternation nor a Newton step goes up, all numbers are finite, and at the end
// the users are as good as a dense half-step in double, given the items. What calls itself the
// global minimum is not above any other. And one more thing that is made of it, as it should be.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/solve/more_checks.h"
#include "tests/support/dense_step.h"
#include "tests/support/squared_cases.h"

namespace {

using sqmax::at;
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

// Σ_xy (u v + r ω_x ω_y) |p_x|² |q_y|²: single precision rounds sums of scores relative to this,
// even where vectors are long and nearly at right angles.
double longest_squares(const sqmax::QuadraticForm& form, sqmax::CsrView by_user,
                       sqmax::ConstMatrix P, sqmax::ConstMatrix Q) {
  const auto squared = [](std::span<const float> row) {
    return std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
  };
  double sum = 0.0;
  for (Index x = 0; x < by_user.rows; ++x) {
    double others = 0.0;
    for (Index y = 0; y < by_user.cols; ++y) {
      double weight = double{form.users.weight[at(x)]} * form.items.weight[at(y)];
      if (sqmax::contains(by_user.row(x), y)) {
        weight += double{form.users.curvature[at(x)]} * form.items.curvature[at(y)];
      }
      others += weight * squared(Q.row(y));
    }
    sum += squared(P.row(x)) * others;
  }
  return sum;
}

// Exact in users, given items, when it ends; the others only come closer.
bool is_exact_in_users(const std::string& solver) {
  return solver == "exact" || solver == "spectral" || solver == "als" || solver == "newton-cg";
}

// How much there is to win for the users from nothing; what is won must be nearly all of it, or, of
// inexact steps, some of it.
void check_users(const sqmax::SquaredCase& each, const sqmax::Problem& problem,
                 const sqmax::Solution& found) {
  const sqmax::QuadraticForm& form = problem.form;
  const sqmax::CsrView by_user = problem.by_user;
  const double value = sqmax::dense_loss(form, by_user, found.P, found.Q);
  const sqmax::Matrix no_users(by_user.rows, found.Q.cols());
  const double nothing = sqmax::dense_loss(form, by_user, no_users, found.Q);
  const auto best = sqmax::dense_half_step(form.users, form.items, form.target, by_user, found.Q);
  const double want = sqmax::dense_loss(form, by_user, best, found.Q);
  const double lost = is_exact_in_users(each.solver) ? 2e-2 : 0.9;
  const double rounding = 1e-4 * (std::abs(nothing) + std::abs(want)) + 1e-6;
  require(value - want <= lost * (nothing - want) + rounding);
}

// Dense alternation from a random start: nothing that it reaches is below a global minimum.
void check_minimum(const sqmax::Problem& problem, const sqmax::Solution& found) {
  const sqmax::QuadraticForm& form = problem.form;
  const double value = sqmax::dense_loss(form, problem.by_user, found.P, found.Q);
  sqmax::Random random(1, sqmax::Purpose::Test);
  sqmax::Matrix P(found.P.rows(), found.P.cols());
  sqmax::Matrix Q(found.Q.rows(), found.Q.cols());
  for (float& q : Q.values()) q = static_cast<float>(random.normal());
  for (int sweep = 0; sweep < 6; ++sweep) {
    P = sqmax::dense_half_step(form.users, form.items, form.target, problem.by_user, Q);
    Q = sqmax::dense_half_step(form.items, form.users, form.target, problem.by_item, P);
  }
  const double other = sqmax::dense_loss(form, problem.by_user, P, Q);
  require(value <= other + 1e-3 * (std::abs(value) + std::abs(other)) + 1e-6);
}

// An exponent from −5 to 3 for what is there to be varied; as it was, or nothing, most often.
void vary(sqmax::LossCase& loss, const std::string& option, ByteSource& source) {
  const int choice = 15 - source.up_to(15);  // bytes that are used up leave it as it was
  const auto& known = sqmax::find_loss(loss.loss).options;
  const auto spec = std::ranges::find(known, option, &sqmax::OptionSpec::name);
  if (spec == known.end() || choice >= 10) return;
  loss.settings[option] = choice == 9 ? 0.0 : std::pow(10.0, choice - 5.0);
}

sqmax::Solution check(const sqmax::SquaredCase& each, const sqmax::Problem& problem,
                      const sqmax::SolveOptions& options) {
  double before = INFINITY;
  const bool descends = each.solver == "als" || each.solver == "spectral" ||
                        each.solver == "subspace" || each.solver == "newton-cg";
  const auto listen = [&](const SolveEvent& event) {
    if (event.P.rows == 0) return sqmax::Next::Continue;
    const double dense = sqmax::dense_loss(problem.form, problem.by_user, event.P, event.Q);
    const double size = std::abs(dense) + std::abs(event.objective->every_pair) +
                        std::abs(event.objective->observed) + event.objective->ridge;
    const double rounded = 1e-3 * longest_squares(problem.form, problem.by_user, event.P, event.Q);
    require(is_close(event.objective->total(), dense, size + rounded));
    if (descends) require(dense <= before + 1e-3 * size + 1e-6);
    before = dense;
    return sqmax::Next::Continue;
  };
  sqmax::Solution solution = each.run(problem, options, listen);
  for (const float value : solution.P.values()) require(std::isfinite(value));
  for (const float value : solution.Q.values()) require(std::isfinite(value));
  check_users(each, problem, solution);
  return solution;
}

// Interactions by user alone, where the solver can do with that.
void check_passes(const sqmax::SquaredCase& each, const sqmax::Problem& problem,
                  const sqmax::SolveOptions& options) {
  const sqmax::Problem alone{problem.form, problem.by_user};
  const auto spec = std::ranges::find(sqmax::solvers(), each.solver, &sqmax::SolverSpec::name);
  if (sqmax::can_minimise(*spec, alone)) check(each, alone, options);
}

sqmax::Solution random_start(const sqmax::Problem& problem, const sqmax::SolveOptions& options) {
  sqmax::Random random(options.seed, sqmax::Purpose::Test);
  sqmax::Solution start{.P = sqmax::Matrix(problem.by_user.rows, options.rank),
                        .Q = sqmax::Matrix(problem.by_user.cols, options.rank)};
  for (float& p : start.P.values()) p = static_cast<float>(0.5 * random.normal());
  for (float& q : start.Q.values()) q = static_cast<float>(0.5 * random.normal());
  return start;
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
  vary(each.loss, "alpha", source);
  vary(each.loss, "beta", source);
  const int more = source.up_to(5);  // 0 once bytes are used up
  if (source.up_to(3) == 1) each.loss.settings["lambda"] = 0.0;
  sqmax::try_it([&] {  // not every number is one of the option
    const sqmax::QuadraticForm form = each.form(by_user);
    const sqmax::Problem problem{form, by_user, by_item};
    const auto spec = std::ranges::find(sqmax::solvers(), each.solver, &sqmax::SolverSpec::name);
    if (!sqmax::can_minimise(*spec, problem)) return;
    const sqmax::Solution solution = check(each, problem, options);
    if (each.solver == "exact") check_minimum(problem, solution);
    switch (more) {
      case 1:
        return check_passes(each, problem, options);
      case 2:
        return sqmax::solve_fuzz::check_fold_in(each, problem, by_user, solution);
      case 3:
        return sqmax::solve_fuzz::check_links(problem, solution, source);
      case 4:
        return sqmax::solve_fuzz::check_scores(by_user, options, source);
      case 5:
        return sqmax::solve_fuzz::check_gradient(problem, random_start(problem, options));
      default:
        return;
    }
  });
  return 0;
}
