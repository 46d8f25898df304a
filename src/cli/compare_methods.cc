// What methods search, what they must share, and what memory they take.
#include "cli/compare_methods.h"

#include <algorithm>

#include "cli/memory_plan.h"
#include "cli/memory_size.h"
#include "cli/text.h"
#include "core/fail.h"

namespace sqmax::cli {

void set_methods(ComparePlan& plan, const Dataset& dataset, Session& session) {
  for (const std::string& loss : plan.losses) {
    TuneOptions options = plan.tune;
    options.fit.loss = loss;
    options.fit.options = plan.preset != nullptr ? fixed_for(*plan.preset, loss) : Settings{};
    if (plan.has_grids()) options.points = paper_grid(*plan.preset, loss);
    fit_into_memory(options, true, dataset, plan.args.memory, session);
    plan.methods.insert_or_assign(loss, std::move(options));
  }
}

std::vector<std::string> racers_of(const ComparePlan& plan, const Dataset& dataset) {
  const std::string& names = plan.args.solvers;
  return names == "all" ? solvers_for(dataset, plan.tune.fit) : split_words(names, ',');
}

Json protocol_of(const ComparePlan& plan, const Dataset& dataset) {
  const TuneOptions& tune = plan.tune;
  const LearnArgs& learn = plan.args.learn;
  Json metrics = Json::array();
  for (const Metric& metric : tune.metrics) metrics.push_back(metric.name);
  Json protocol = {{"version", SQMAX_VERSION},
                   {"data", fingerprint(dataset)},
                   {"search", plan.has_grids() ? "paper" : tune.search},
                   {"budget", learn.budget},
                   {"metrics", metrics},
                   {"rank", learn.rank},
                   {"solver", learn.solver},
                   {"sweeps", tune.sweeps},
                   {"iterations", learn.iterations.value_or(0)},
                   {"learning_rate", tune.fit.solve.learning_rate},
                   {"patience", tune.patience},
                   {"cg_steps", tune.fit.solve.cg_steps},
                   {"preset", plan.args.preset},
                   {"block", tune.fit.solve.block},
                   {"seed", tune.seed}};
  if (plan.args.memory) protocol["memory"] = *plan.args.memory;
  for (const auto& [loss, options] : plan.methods) {
    if (!options.fit.both_sides) protocol["passes"].push_back(loss);
  }
  return protocol;
}

namespace {

// Solvers race on both sides of the data.
MemoryEstimate race_estimate(const ComparePlan& plan, const Dataset& dataset) {
  MemoryEstimate most;
  TuneOptions options = plan.tune;
  for (const std::string& solver : racers_of(plan, dataset)) {
    options.fit.solver = solver;
    const std::int64_t needed = bytes_made(dataset, options, false);
    if (plan.args.memory && needed > *plan.args.memory) {
      fail(Errc::BadOption,
           "--solvers {} works on both sides of the data and takes about {}, more than --memory "
           "{}; leave it out, or give more memory.",
           solver, memory_text(needed), memory_text(*plan.args.memory));
    }
    most = larger(most, training_estimate(dataset, options, false));
  }
  return most;
}

}  // namespace

MemoryEstimate estimate_of(const ComparePlan& plan, const Dataset& dataset) {
  const bool keeps_model = !plan.args.best_model.empty();
  std::int64_t waiting = 0;
  MemoryEstimate most;
  for (const auto& [loss, options] : plan.methods) {
    most = larger(most, training_estimate(dataset, options, true));
    if (keeps_model) waiting = std::max(waiting, model_bytes(dataset, options));
  }
  most.bytes += waiting;
  return plan.args.solvers.empty() ? most : larger(most, race_estimate(plan, dataset));
}

}  // namespace sqmax::cli
