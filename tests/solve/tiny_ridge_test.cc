// A ridge that is next to nothing, at a small and at full rank: no half-step goes up.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/dense_step.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

std::vector<Csr> all_data() {
  std::vector<std::vector<Index>> own(8);
  std::vector<std::vector<Index>> groups(9);
  for (Index x = 0; x < 8; ++x) own[at(x)] = {x};
  for (Index x = 0; x < 9; ++x) {
    groups[at(x)] = x % 2 == 0 ? std::vector<Index>{3, 4} : std::vector<Index>{0, 1, 2};
  }
  return {csr_of(8, own), csr_of(5, groups), TinyData(30, 14, 0.3, 5).by_user};
}

class TinyRidges : public testing::TestWithParam<SquaredCase> {
 protected:
  static bool descends() {
    const std::string& solver = GetParam().solver;
    return solver == "als" || solver == "spectral" || solver == "subspace" || solver == "newton-cg";
  }

  static QuadraticForm form_with(double lambda, CsrView by_user) {
    LossCase loss = GetParam().loss;
    const auto& known = find_loss(loss.loss).options;
    loss.settings["lambda"] = lambda;
    if (std::ranges::find(known, "alpha", &OptionSpec::name) != known.end()) {
      loss.settings["alpha"] = 0.0;
    }
    return spell_out(loss.law(by_user), by_user);
  }

  static void expect_descent(const QuadraticForm& form, const Csr& by_user,
                             const SolveOptions& options) {
    const Csr by_item = transpose(by_user);
    const Problem problem{form, by_user, by_item};
    const auto& solver = *std::ranges::find(solvers(), GetParam().solver, &SolverSpec::name);
    if (!can_minimise(solver, problem)) return;
    double before = INFINITY;
    solver.run(problem, options, [&](const SolveEvent& event) {
      if (event.P.rows == 0) return Next::Continue;
      const double now = dense_loss(form, by_user, event.P, event.Q);
      EXPECT_LE(now, before + 1e-3 * static_cast<double>(by_user.indices.size()))
          << "sweep " << event.step;
      before = now;
      return Next::Continue;
    });
  }
};

TEST_P(TinyRidges, NoHalfStepGoesUp) {
  if (!descends()) GTEST_SKIP();
  for (const Csr& by_user : all_data()) {
    for (const double lambda : {1e-8, 1e-7, 1e-6, 1e-5}) {
      const QuadraticForm form = form_with(lambda, by_user);
      for (const Index rank : {Index{2}, std::min(by_user.rows, by_user.cols)}) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
          SCOPED_TRACE(std::to_string(by_user.rows) + " users, lambda 1e" +
                       std::to_string(std::lround(std::log10(lambda))) + ", rank " +
                       std::to_string(rank) + ", seed " + std::to_string(seed));
          expect_descent(form, by_user,
                         {.rank = rank, .iterations = 12, .tolerance = 0.0, .seed = seed});
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, TinyRidges, testing::ValuesIn(squared_cases()),
                         [](const auto& spec) { return name_of(spec.param); });

}  // namespace
}  // namespace sqmax
