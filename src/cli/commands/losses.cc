// sqmax losses: what can be minimised, with formulas and options.
#include <fmt/format.h>

#include "sqmax/loss/loss_spec.h"

#include "cli/command.h"
#include "cli/json.h"

namespace sqmax::cli {
namespace {

struct LossesArgs {
  std::vector<std::string> names;

  void describe(ArgumentParser& parser) {
    parser.positionals("NAME", names, "only these losses; all if none is named");
  }
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

std::string text_of(const LossSpec& loss) {
  std::string text = fmt::format("{}: {}\n    {}\n", loss.name, loss.title, loss.formula);
  for (const OptionSpec& option : loss.options) {
    text += fmt::format("    --{:<11} {} [{}; {}]\n", option.name, option.help,
                        to_text(option.fallback), range_text(option));
  }
  return text + "\n";
}

std::vector<LossSpec> chosen_losses(const std::vector<std::string>& names) {
  if (names.empty()) return {losses().begin(), losses().end()};
  std::vector<LossSpec> chosen;
  for (const std::string& name : names) chosen.push_back(find_loss(name));
  return chosen;
}

int run(const LossesArgs& args, Session& session) {
  Json document = Json::array();
  std::string text;
  for (const LossSpec& loss : chosen_losses(args.names)) {
    document.push_back(to_json(loss));
    text += text_of(loss);
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
