// sqmax losses: what can be minimised, with formulas and options.
#include <fmt/format.h>

#include "sqmax/loss/loss_spec.h"

#include "cli/command.h"
#include "cli/json.h"

namespace sqmax::cli {
namespace {

struct LossesArgs {
  void describe(ArgumentParser&) {}
};

std::string range_text(const OptionSpec& option) {
  if (option.choices.empty()) return fmt::format("{} to {}", option.low, option.high);
  std::string words;
  for (const std::string& choice : option.choices) words += (words.empty() ? "" : "|") + choice;
  return words;
}

Json to_json(const LossSpec& loss) {
  Json options = Json::array();
  for (const OptionSpec& option : loss.options) {
    options.push_back({{"name", option.name},
                       {"default", to_text(option.fallback)},
                       {"range", range_text(option)},
                       {"help", option.help}});
  }
  return {
      {"name", loss.name}, {"title", loss.title}, {"formula", loss.formula}, {"options", options}};
}

int run(const LossesArgs&, Session& session) {
  Json document = Json::array();
  std::string text;
  for (const LossSpec& loss : losses()) {
    document.push_back(to_json(loss));
    text += fmt::format("{}: {}\n    {}\n", loss.name, loss.title, loss.formula);
    for (const OptionSpec& option : loss.options) {
      text += fmt::format("    --{:<9} {} [{}; {}]\n", option.name, option.help,
                          to_text(option.fallback), range_text(option));
    }
    text += "\n";
  }
  if (session.json()) {
    session.print(Json{{"losses", document}});
  } else {
    session.print(text);
  }
  return 0;
}

}  // namespace

Command losses_command() {
  return make_command<LossesArgs>("losses", "list the losses, with formulas and options", &run);
}

}  // namespace sqmax::cli
