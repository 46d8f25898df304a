// make_dataset: distinct pairs, filter, split, report.
#include "sqmax/data/prepare.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/array_builder.h"

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

/// The ids at `kept` positions, ascending.
IdTable ids_at(std::span<const Index> kept, const IdTable& ids, const Workspace& workspace) {
  if (std::ssize(kept) == ids.size()) return ids;
  ArrayBuilder<Offset> offsets(workspace);
  ArrayBuilder<std::uint8_t> text(workspace);
  offsets.push_back(0);
  for (const Index position : kept) {
    const auto begin = at(ids.offsets[at(position)]);
    text.append(ids.text.span().subspan(begin, at(ids.offsets[at(position) + 1]) - begin));
    offsets.push_back(static_cast<Offset>(text.size()));
  }
  return {offsets.finish(), text.finish()};
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
  Pairs pairs = distinct_pairs(raw, repetition, options.workspace);
  diagnose_repetition(repetition, raw, findings);
  diagnose_shape(pairs, raw, findings);
  const Kept kept = filter_pairs(pairs, options.filter, options.workspace);
  Split split = split_pairs(std::move(pairs), options.split, options.workspace);

  Dataset dataset{.users = ids_at(kept.users, raw.user_ids, options.workspace),
                  .items = ids_at(kept.items, raw.item_ids, options.workspace),
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
