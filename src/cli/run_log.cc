// RunLog: one line per event, one at the end.
#include "cli/run_log.h"

namespace sqmax::cli {
namespace {

std::string_view to_text(Half half) {
  switch (half) {
    case Half::Users:
      return "users";
    case Half::Items:
      return "items";
    case Half::Both:
      return "both";
    case Half::None:
      break;
  }
  return "none";
}

Json to_json(const Objective& objective) {
  return {{"total", objective.total()},
          {"every_pair", objective.every_pair},
          {"observed", objective.observed},
          {"ridge", objective.ridge}};
}

}  // namespace

RunLog::RunLog(const std::string& path) {
  if (!path.empty()) file_.emplace(path);
}

void RunLog::write(const FitEvent& event) {
  if (!file_) return;
  const SolveEvent& solve = event.solve;
  Json line = {{"event", "step"},          {"trial", event.trial},
               {"step", solve.step},       {"half", to_text(solve.half)},
               {"seconds", solve.seconds}, {"residual", solve.residual}};
  if (solve.objective) line["objective"] = to_json(*solve.objective);
  if (event.valid) line["valid"] = *event.valid;
  file_->write(line.dump() + "\n");
}

OnFit RunLog::listener() {
  if (!wanted()) return {};
  return [this](const FitEvent& event) {
    write(event);
    return Next::Continue;
  };
}

void RunLog::close(const Json& description) {
  if (!file_) return;
  Json line = {{"event", "end"}};
  line.update(description);
  file_->write(line.dump() + "\n");
  file_->commit();
}

}  // namespace sqmax::cli
