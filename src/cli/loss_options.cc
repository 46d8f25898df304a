// Shared options: helps taken apart into clauses, so that each is said once.
#include "cli/loss_options.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "sqmax/loss/loss_spec.h"

namespace sqmax::cli {
namespace {

constexpr std::string_view kBetween = "; ";  // clauses of a help

/// A part of a help, and the losses that say it.
struct Clause {
  std::string text;
  std::string losses;
};

std::vector<std::string> clauses_of(std::string_view help) {
  std::vector<std::string> clauses;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = help.find(kBetween);
    clauses.emplace_back(help.substr(0, end));
    help.remove_prefix(std::min(help.size(), clauses.back().size() + kBetween.size()));
  }
  return clauses;
}

/// The options of one name of several losses: all their choices, all that they say.
class SharedOption {
 public:
  void add(const std::string& loss, const OptionSpec& option) {
    spec_.name = option.name;
    for (const std::string& choice : option.choices) {
      const bool is_new = std::ranges::find(spec_.choices, choice) == spec_.choices.end();
      if (is_new) spec_.choices.push_back(choice);
    }
    for (const std::string& text : clauses_of(option.help)) {
      const auto known = std::ranges::find(clauses_, text, &Clause::text);
      if (known == clauses_.end()) {
        clauses_.push_back({text, loss});
      } else {
        known->losses += ", " + loss;
      }
    }
  }

  // α₀, the weight of …; observed ones … (ials); α, extra confidence … (rgp, wrmf)
  OptionSpec spec() const {
    OptionSpec spec = spec_;
    for (std::size_t c = 0; c < clauses_.size(); ++c) {
      const auto& [text, losses] = clauses_[c];
      const bool ends = c + 1 == clauses_.size() || clauses_[c + 1].losses != losses;
      spec.help += (c == 0 ? "" : "; ") + text + (ends ? " (" + losses + ")" : "");
    }
    return spec;
  }

 private:
  OptionSpec spec_;
  std::vector<Clause> clauses_;
};

}  // namespace

std::vector<OptionSpec> shared_loss_options() {
  std::map<std::string, SharedOption> by_name;
  for (const LossSpec& loss : losses()) {
    for (const OptionSpec& option : loss.options) by_name[option.name].add(loss.name, option);
  }
  std::vector<OptionSpec> options;
  for (const auto& [name, option] : by_name) options.push_back(option.spec());
  return options;
}

}  // namespace sqmax::cli
