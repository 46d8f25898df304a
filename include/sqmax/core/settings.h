// Settings and OptionSpec: named values, and what may be said about each of them.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace sqmax {

using SettingValue = std::variant<double, std::string>;
using Settings = std::map<std::string, SettingValue>;

enum class Scale { Linear, Log };

/// Where a search looks for a number: within [low, high], evenly on the scale; and at 0 in this
/// share of the draws.
struct SearchRange {
  double low = 0.0;
  double high = 0.0;
  Scale scale = Scale::Log;
  double zeros = 0.0;
};

/// What must be done again if an option changes.
enum class Redo {
  Fit,     ///< everything
  Path,    ///< the last step of a closed form; everything, where there is none
  Scores,  ///< rankings alone: the fit stays as it is
};

/// One option, spelled once: the command line, files, help and search all read this.
struct OptionSpec {
  std::string name;
  std::string help;
  SettingValue fallback;
  double low = 0.0;                  ///< smallest number allowed
  double high = 0.0;                 ///< largest number allowed
  SearchRange search;                ///< numbers: where tuning looks
  std::vector<std::string> choices;  ///< words: what may be said
  std::vector<std::string> drawn;    ///< words: which of them tuning tries; all if empty
  bool whole = false;                ///< numbers: without a fraction
  Redo redo = Redo::Fit;
};

/// The text of a value as a person would type it.
std::string to_text(const SettingValue& value);

/// Checks `value` (a number or a word) against its spec and returns it with the right type.
/// Throws Errc::BadOption with a sentence that names the option.
SettingValue checked(const OptionSpec& spec, const SettingValue& value);

/// `given` completed with the specs' defaults; a name that `owner` ("The loss wrmf") does not know
/// is an error that lists those it does.
Settings completed(const std::string& owner, const std::vector<OptionSpec>& specs,
                   const Settings& given);

}  // namespace sqmax
