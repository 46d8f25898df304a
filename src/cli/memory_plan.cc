// Training within a given memory.
#include "cli/memory_plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sqmax/loss/loss_spec.h"

#include "cli/machine.h"
#include "cli/memory_size.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

// --alpha 0 --links 0 --ridge weighted
std::string option_text(const Settings& settings) {
  std::vector<std::string> words;
  for (const auto& [name, value] : settings) words.push_back("--" + name + " " + to_text(value));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

void fit_into_memory(TuneOptions& options, const Dataset& dataset,
                     std::optional<std::int64_t> memory, Session& session) {
  FitOptions& fit = options.fit;
  const LossSpec& loss = find_loss(fit.loss);
  const std::int64_t limit = memory.value_or(available_memory_bytes());
  const std::int64_t needed = fit_memory_bytes(dataset, fit.solve.rank, true);
  if (needed <= limit || !loss.has_factors) return;
  const std::string why =
      fmt::format("by both sides the interactions take about {}, more than {}", memory_text(needed),
                  memory ? "--memory " + memory_text(limit) : "is free");
  if (fit.solve.start_items.rows > 0) {
    fail(Errc::BadOption, "--from needs both sides, and {}; use more memory.", why);
  }
  if (fit.solver != "auto" && fit.solver != "exact") {
    fail(Errc::BadOption, "--solver {} works on both sides, and {}; use auto, or more memory.",
         fit.solver, why);
  }
  if (loss.closed_form.empty()) {
    fail(Errc::BadOption, "{} has no closed form, and {}; use rgp or rg2, or more memory.",
         loss.name, why);
  }
  for (const auto& [name, value] : loss.closed_form) {
    const auto [given, is_new] = fit.options.emplace(name, value);
    if (!is_new && given->second != value) {
      fail(Errc::BadOption, "--{} {} has no closed form, and {}; use {}, or more memory.", name,
           to_text(given->second), why, option_text(loss.closed_form));
    }
  }
  fit.both_sides = false;
  fit.solve.spare_memory =
      std::max<std::int64_t>(0, limit - fit_memory_bytes(dataset, fit.solve.rank, false));
  session.say(fmt::format("training the closed form ({}) in passes over the data: {}",
                          option_text(loss.closed_form), why));
}

}  // namespace sqmax::cli
