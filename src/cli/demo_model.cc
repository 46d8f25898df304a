// The demo's model: what tools/demo.sh does, without a search.
#include "cli/demo_model.h"

#include <fmt/format.h>

#include "sqmax/data/prepare.h"
#include "sqmax/rank/bootstrap.h"

#include "cli/demo_files.h"
#include "cli/memory_file.h"
#include "cli/training.h"
#include "data/read/read_inputs.h"

namespace sqmax::cli {
namespace {

constexpr Index kCore = 5;

Dataset demo_dataset(Session& session) {
  const std::vector<PartSources> sources = {
      {{{"debian-12-dependencies.tsv.zst", embedded::demo_graph}}, {}}};
  ReadResult read = read_inputs(sources, {.split = "none"}, session.progress());
  PrepareOptions options;
  options.filter = {.min_user = kCore, .min_item = kCore};
  options.source = Json{{"inputs", read.report.files}, {"kcore", kCore}}.dump();
  std::vector<Finding> findings;
  return make_dataset(std::move(read.interactions), options, findings);
}

// The best of `sqmax train --rank 64` on these data.
TuneOptions demo_options() {
  TuneOptions options;
  options.fit.loss = "rgp";
  options.fit.options = {{"activity", 0.5}, {"alpha", 0.0},       {"blend", 1.0},
                         {"lambda", 0.2},   {"link-ridge", 0.55}, {"links", 27.0},
                         {"nu", 0.9},       {"prior", 0.84},      {"ridge", "frequency"}};
  options.fit.solver = "spectral";
  options.fit.solve.rank = 64;
  options.fit.solve.iterations = 2;
  options.metrics = parse_metrics("ndcg@10,recall@10,map@10,mrr@10");
  return options;
}

}  // namespace

Model train_demo_model(Session& session) {
  session.say("Learning which packages of Debian go together …");
  const Dataset dataset = demo_dataset(session);
  const TuneOptions options = demo_options();
  Fitter fitter(dataset);
  TuneResult result = fit_once(fitter, dataset, options, session);
  Json document = {{"valid", to_json(result.trials[0].valid)}, {"refit", false}};
  const Evaluation test = measure(result.fit.model, dataset, Part::Test, options.metrics);
  document["test"] = to_json(test.metrics);
  document["intervals"] = to_json(test, bootstrap_intervals(test.values()));
  result.fit.model.story = story_of(dataset, options, result, document);
  const MemoryFile titles(embedded::demo_titles);
  result.fit.model.about_items = read_item_table(titles.path(), result.fit.model.items);
  return std::move(result.fit.model);
}

}  // namespace sqmax::cli
