// Fitter: declare, solve, and dress the factors as a model.
#include "sqmax/train/fit.h"

#include <algorithm>
#include <optional>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/solve/links.h"

#include "core/fail.h"
#include "core/stopwatch.h"
#include "solve/condition.h"
#include "solve/exact.h"
#include "solve/finite.h"
#include "solve/reporter.h"
#include "train/best_sweep.h"
#include "train/factor_cache.h"

namespace sqmax {
namespace {

constexpr std::int64_t kBlockColumns = 48;   // a block, and its copy in halves
constexpr std::int64_t kBasisColumns = 256;  // of `exact` beside the factors

double number_or(const Settings& options, const std::string& name, double fallback) {
  const auto found = options.find(name);
  return found == options.end() ? fallback : std::get<double>(found->second);
}

void check_rank(Index rank, const Dataset& data) {
  const Index most = std::min(data.user_count(), data.item_count());
  if (rank < 1 || rank > most) {
    fail(Errc::BadOption,
         "--rank must be between 1 and {}, the smaller side of the data ({} users × {} items); {} "
         "is not.",
         most, data.user_count(), data.item_count(), rank);
  }
}

std::string quick_solver(const Problem& problem) {
  const std::string& name = find_solver("auto", problem).name;
  return name == "als" ? "cg" : name;
}

// A decomposition starts from nothing: `auto` goes on from given vectors by alternation.
std::string solver_for(const FitOptions& options, const Problem& problem) {
  if (options.solve.start_items.rows == 0) {
    const bool is_open = options.solver == "auto" && options.may_approximate;
    return is_open ? quick_solver(problem) : options.solver;
  }
  if (options.solver == "exact") {
    fail(Errc::BadOption,
         "--solver exact starts from nothing, so it cannot go on from a model; use auto.");
  }
  const bool is_exact = find_solver(options.solver, problem).name == "exact";
  return is_exact ? "spectral" : options.solver;
}

}  // namespace

// The factors, one more block on each side on its way through a product, or in passes one part of
// the interactions, the basis of `exact`, and four bytes an interaction and side.
std::int64_t fit_memory_bytes(const Dataset& dataset, Index rank, bool both_sides) {
  const std::int64_t users = dataset.user_count();
  const std::int64_t items = dataset.item_count();
  const std::int64_t nnz = dataset.train.nnz();
  const std::int64_t values = users * rank + items * (rank + kBasisColumns);
  const std::int64_t passing =
      both_sides ? 4 * users * kBlockColumns : MatrixParts::kBytes * MatrixParts::size(items);
  return 4 * (values + (both_sides ? 2 : 1) * nnz) + passing + 64 * (users + items);
}

void set_scoring(Model& model, const Settings& options) {
  for (const auto& [name, value] : options) model.options[name] = value;
  model.blend = number_or(model.options, "blend", 1.0);
}

struct Fitter::State {
  explicit State(const Dataset& dataset) : data(dataset) {}

  // Counted when they are wanted first, so that this is part of a fit.
  const RowDegrees& degrees() {
    if (!rows) rows = row_degrees_of(data.train);
    return *rows;
  }

  QuadraticLaw law(const LossSpec& loss, const Settings& settings) {
    if (!counts) counts = degrees_of(degrees());
    return loss.declare(settings, *counts);
  }

  QuadraticForm form(const QuadraticLaw& law) { return spell_out(law, data.train, degrees()); }

  // Transposed when the first problem is stated, for the same reason.
  Problem problem(const QuadraticForm& form, bool both_sides) {
    if (!both_sides) return {form, data.train};
    if (!by_item) by_item = transpose(data.train);
    return {form, data.train, *by_item};
  }

  Solution solve(const QuadraticLaw& law, const QuadraticForm& form, const FitOptions& options,
                 FitResult& result, const OnSolve& listener) {
    const Problem stated = problem(form, options.both_sides);
    const SolverSpec& solver = find_solver(solver_for(options, stated), stated);
    result.solver = solver.name;
    if (solver.name != "exact") return solver.run(stated, options.solve, listener);
    check_form(form);
    const Reporter reporter(stated, options.solve, listener);
    Solution solution = finite(shrink(cache.get(stated, law, options.solve, reporter.listener()),
                                      stated, options.solve.rank));
    reporter.tell_end(solution);
    return solution;
  }

  Solution solve(const ScoreLoss& loss, const FitOptions& options, FitResult& result,
                 const OnSolve& listener) {
    const QuadraticForm none;
    const Problem stated{none, data.train, {}, &loss};
    const SolverSpec& solver = find_solver(options.solver, stated);
    result.solver = solver.name;
    return solver.run(stated, options.solve, listener);
  }

  Links links(const Model& model, const QuadraticForm& form, const OnProgress& progress) {
    const auto count = static_cast<Index>(number_or(model.options, "links", 0.0));
    if (count == 0) return {};
    return fit_links(problem(form, true), model.P.view(), model.Q.view(),
                     {.count = count, .ridge = number_or(model.options, "link-ridge", 0.0)},
                     progress);
  }

  const Dataset& data;
  std::optional<Csr> by_item;
  std::optional<RowDegrees> rows;
  std::optional<Degrees> counts;
  FactorCache cache;
};

Fitter::Fitter(const Dataset& dataset) : state_(std::make_unique<State>(dataset)) {}
Fitter::~Fitter() = default;

bool Fitter::can_fit(const FitOptions& options) const {
  const LossSpec& loss = find_loss(options.loss);
  const auto is_able = [&options](const Problem& stated) {
    return std::ranges::any_of(solvers(), [&](const SolverSpec& solver) {
      return solver.name == options.solver && can_minimise(solver, stated);
    });
  };
  if (!loss.is_squared()) {
    const ScoreLoss scores = loss.declare_scores(options.options);
    const QuadraticForm none;
    return options.solver == "auto" || is_able({none, state_->data.train, {}, &scores});
  }
  const QuadraticLaw law = state_->law(loss, options.options);
  if (options.solver == "auto") return true;
  const QuadraticForm form = state_->form(law);
  return is_able(state_->problem(form, options.both_sides));
}

namespace {

// The model that a fit will fill with vectors; of a squared loss the law is still missing.
Model declare_model(const FitOptions& options, const Dataset& data) {
  const LossSpec& loss = find_loss(options.loss);
  Model model;
  model.loss = loss.name;
  set_scoring(model, completed("The loss " + loss.name, loss.options, options.options));
  model.uses_prior = loss.scoring == Scoring::Prior;
  model.by_distance = loss.scoring == Scoring::Distance;
  model.users = data.users;
  model.items = data.items;
  model.about_items = data.about_items;
  model.seen = data.train;
  return model;
}

// What the loss decides where nothing else was asked for.
FitOptions settled(FitOptions options) {
  const LossSpec& loss = find_loss(options.loss);
  if (options.usual_epochs && loss.epochs > 0) options.solve.iterations = loss.epochs;
  if (options.early_stop && options.early_stop->patience < 0) {
    options.early_stop->patience = loss.patience;
  }
  return options;
}

}  // namespace

void Fitter::skip(const FitOptions& asked) {
  const FitOptions options = settled(asked);
  const LossSpec& loss = find_loss(options.loss);
  if (!loss.has_factors || !loss.is_squared()) return;
  const Settings all = completed("The loss " + loss.name, loss.options, options.options);
  const QuadraticLaw law = state_->law(loss, all);
  const QuadraticForm form = state_->form(law);
  const Problem stated = state_->problem(form, options.both_sides);
  if (find_solver(solver_for(options, stated), stated).name == "exact") {
    state_->cache.expect(law, options.solve);
  }
}

FitResult Fitter::fit(const FitOptions& asked, const OnFit& listener) {
  const Stopwatch watch;
  FitOptions options = settled(asked);
  const Dataset& data = state_->data;
  FitResult result{.model = declare_model(options, data)};
  Model& model = result.model;
  const LossSpec& loss = find_loss(options.loss);
  if (loss.is_squared()) model.law = state_->law(loss, model.options);
  std::optional<BestSweep> best;
  if (options.early_stop) best.emplace(model, data, *options.early_stop);
  std::optional<BestSweepKeeper> keeper;
  if (options.solve.keeper != nullptr) {
    options.solve.keeper = &keeper.emplace(*options.solve.keeper, best);
  }
  const OnSolve hear = [&](const SolveEvent& event) {
    const auto valid = best ? best->hear(event) : std::nullopt;
    const Next next = listener ? listener({event, valid}) : Next::Continue;
    return best && best->is_over() ? Next::Stop : next;
  };

  if (!options.both_sides && number_or(model.options, "links", 0.0) > 0.0) {
    fail(Errc::BadOption, "Links need the interactions by both sides; use --links 0.");
  }

  Solution solution{.P = Matrix(data.user_count(), 0),
                    .Q = Matrix(data.item_count(), 0),
                    .reason = StopReason::Converged};
  QuadraticForm form;
  if (loss.has_factors) {
    check_rank(options.solve.rank, data);
    if (loss.is_squared()) form = state_->form(model.law);
    const OnSolve heard = listener || best ? hear : OnSolve();
    solution = loss.is_squared()
                   ? state_->solve(model.law, form, options, result, heard)
                   : state_->solve(loss.declare_scores(model.options), options, result, heard);
  }
  model.user_extra = std::move(solution.user_extra);
  model.item_extra = std::move(solution.item_extra);
  model.P = to_factors(std::move(solution.P));
  model.Q = to_factors(std::move(solution.Q));
  result.steps = result.kept = solution.steps;
  result.residual = solution.residual;
  result.contraction = solution.contraction;
  const bool is_over = best && best->is_over() && solution.reason != StopReason::Diverged;
  result.reason = is_over ? StopReason::Patience : solution.reason;
  if (best) result.kept = best->restore(model).value_or(result.kept);
  if (model.Q.rank > 0) {
    bool stopped = false;
    model.links = state_->links(model, form, [&](const ProgressEvent& event) {
      stopped = report(options.on_links, event) == Next::Stop;
      return stopped ? Next::Stop : Next::Continue;
    });
    if (stopped) result.reason = StopReason::Stopped;
  }
  if (loss.has_factors && loss.is_squared()) {
    result.condition =
        condition_of(state_->problem(form, options.both_sides), model.P.view(), model.Q.view());
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace sqmax
