// Training within a given memory.
#include "cli/memory_plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sqmax/loss/loss_spec.h"

#include "cli/memory_estimate.h"
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

bool contradicts(const Settings& given, const Settings& wanted) {
  return std::ranges::any_of(wanted, [&](const auto& option) {
    const auto found = given.find(option.first);
    return found != given.end() && found->second != option.second;
  });
}

// The closed form, unless something that is given asks for sweeps.
bool wants_sweeps(const FitOptions& fit, const LossSpec& loss) {
  return fit.solver == "spectral" || fit.solve.start_items.rows > 0 ||
         (fit.solver == "auto" && contradicts(fit.options, loss.closed_form) &&
          !contradicts(fit.options, loss.separable));
}

// `way`: how it would be trained.
void settle(const Settings& wanted, const std::string& way, const std::string& why,
            Settings& options) {
  for (const auto& [name, value] : wanted) {
    const auto [given, is_new] = options.emplace(name, value);
    if (!is_new && given->second != value) {
      fail(Errc::BadOption,
           "--{} {} cannot be trained by {} in passes, and {}; use {}, or more memory.", name,
           to_text(given->second), way, why, option_text(wanted));
    }
  }
}

// A search doubles the rank as long as that pays: how far it may go within the limit.
Index largest_rank(TuneOptions options, bool searches, const Dataset& dataset, std::int64_t limit) {
  Index& rank = options.fit.solve.rank;
  const Index first = rank;
  const bool grows = searches && options.search_rank && options.points.empty() &&
                     find_search(options.search).is_guided;
  const Index most = std::min(dataset.user_count(), dataset.item_count()) / kRowsPerRank;
  for (int trials = 1; grows && rank <= most / 2 && trials < options.budget.trials; ++trials) {
    rank *= 2;
    if (bytes_made(dataset, options, searches) > limit) return rank / 2;
  }
  return std::max(first, rank);
}

void in_passes_if_need_be(TuneOptions& options, bool searches, const Dataset& dataset,
                          std::optional<std::int64_t> memory, Session& session) {
  FitOptions& fit = options.fit;
  const LossSpec& loss = find_loss(fit.loss);
  const std::int64_t limit = options.memory;
  // A size that is given is a promise, so all that may be there at a time counts. What is free is
  // only a guess, and the least that a fit takes decides.
  const std::int64_t needed = memory ? bytes_made(dataset, options, searches)
                                     : fit_memory_bytes(dataset, fit.solve.rank, true);
  if (needed <= limit || !loss.has_factors) return;
  const std::string why =
      fmt::format("by both sides it takes about {}, more than {}", memory_text(needed),
                  memory ? "--memory " + memory_text(limit) : "is free");
  if (fit.solver != "auto" && fit.solver != "exact" && fit.solver != "spectral") {
    fail(Errc::BadOption, "--solver {} works on both sides, and {}; use auto, or more memory.",
         fit.solver, why);
  }
  if (loss.separable.empty()) {
    fail(Errc::BadOption,
         "The loss {} is trained from both sides, and {}; use rgp or rg2, or more memory.",
         loss.name, why);
  }
  if (!options.points.empty()) {
    fail(Errc::BadOption,
         "The grids of --preset for {} are trained from both sides, and {}; use "
         "--search, or more memory.",
         loss.name, why);
  }
  const bool sweeps = wants_sweeps(fit, loss);
  const Settings& wanted = sweeps ? loss.separable : loss.closed_form;
  settle(wanted, sweeps ? "spectral" : "exact", why, fit.options);
  fit.both_sides = false;
  fit.solve.spare_memory = 0;
  const std::int64_t least = memory ? bytes_made(dataset, options, searches)
                                    : fit_memory_bytes(dataset, fit.solve.rank, false);
  fit.solve.spare_memory = std::max<std::int64_t>(0, limit - least);
  session.say(fmt::format("training {} ({}) in passes over the data: {}",
                          sweeps ? "by sweeps" : "the closed form", option_text(wanted), why));
}

}  // namespace

void fit_into_memory(TuneOptions& options, bool searches, const Dataset& dataset,
                     std::optional<std::int64_t> memory, Session& session) {
  if (memory) options.memory = *memory;
  in_passes_if_need_be(options, searches, dataset, memory, session);
  options.largest_rank = largest_rank(options, searches, dataset, options.memory);
}

}  // namespace sqmax::cli
