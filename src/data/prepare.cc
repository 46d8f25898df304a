// make_dataset: distinct pairs, filter, split, report.
#include "sqmax/data/prepare.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace sqmax {
namespace {

using Json = nlohmann::ordered_json;

bool uses_times(SplitKind kind) {
  return kind == SplitKind::LeaveOneOut || kind == SplitKind::UserTime || kind == SplitKind::Time;
}

void forget_unused_columns(Interactions& interactions, SplitKind kind) {
  if (!uses_times(kind)) interactions.times = {};
  if (kind != SplitKind::Given) interactions.parts = {};
}

std::string recipe_of(const PrepareOptions& options) {
  const SplitOptions& split = options.split;
  Json json;
  json["source"] = Json::parse(options.source);
  json["filter"] = {{"min_user", options.filter.min_user}, {"min_item", options.filter.min_item}};
  json["split"] = {{"kind", to_text(split.kind)},
                   {"ratios", {split.ratios.train, split.ratios.valid, split.ratios.test}},
                   {"seed", split.seed}};
  return json.dump();
}

}  // namespace

Dataset make_dataset(Interactions&& interactions, const PrepareOptions& options,
                     std::vector<Finding>& findings) {
  check_split(options.split);
  Interactions raw = std::move(interactions);
  forget_unused_columns(raw, options.split.kind);
  Repetition repetition;
  Pairs pairs = distinct_pairs(raw, repetition);
  diagnose_repetition(repetition, raw, findings);
  diagnose_shape(pairs, raw, findings);
  const Kept kept = filter_pairs(pairs, options.filter);
  Split split = split_pairs(std::move(pairs), options.split);

  Dataset dataset{.users = raw.user_ids.table(kept.users),
                  .items = raw.item_ids.table(kept.items),
                  .train = std::move(split.train),
                  .valid = std::move(split.valid),
                  .test = std::move(split.test),
                  .history = std::move(split.history),
                  .recipe = recipe_of(options)};
  diagnose_split(dataset, options.split, split.dropped, findings);
  dataset.doctor = to_json(findings);
  return dataset;
}

}  // namespace sqmax
