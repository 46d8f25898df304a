// Settings: checking values against what their options allow.
#include "sqmax/core/settings.h"

#include <algorithm>
#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/ranges.h>

#include "core/fail.h"

namespace sqmax {
namespace {

double number_of(const OptionSpec& spec, const SettingValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  const auto& text = std::get<std::string>(value);
  double number = 0.0;
  const auto end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    fail(Errc::BadOption, "--{} wants a number, not '{}'.", spec.name, text);
  }
  return number;
}

SettingValue checked_number(const OptionSpec& spec, const SettingValue& value) {
  const double number = number_of(spec, value);
  if (!std::isfinite(number) || number < spec.low || number > spec.high) {
    fail(Errc::BadOption, "--{} must be between {} and {}; {} is not.", spec.name, spec.low,
         spec.high, number);
  }
  if (spec.whole && number != std::floor(number)) {
    fail(Errc::BadOption, "--{} must be a whole number; {} is not.", spec.name, number);
  }
  return number;
}

SettingValue checked_word(const OptionSpec& spec, const SettingValue& value) {
  const std::string word = to_text(value);
  if (std::find(spec.choices.begin(), spec.choices.end(), word) == spec.choices.end()) {
    fail(Errc::BadOption, "--{} must be one of {}; '{}' is not.", spec.name,
         fmt::join(spec.choices, ", "), word);
  }
  return word;
}

}  // namespace

std::string to_text(const SettingValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return fmt::format("{:.6g}", std::get<double>(value));
}

SettingValue checked(const OptionSpec& spec, const SettingValue& value) {
  return spec.choices.empty() ? checked_number(spec, value) : checked_word(spec, value);
}

Settings completed(const std::string& owner, const std::vector<OptionSpec>& specs,
                   const Settings& given) {
  for (const auto& [name, value] : given) {
    const auto known = [&name = name](const OptionSpec& spec) { return spec.name == name; };
    if (std::none_of(specs.begin(), specs.end(), known)) {
      std::vector<std::string> names;
      for (const OptionSpec& spec : specs) names.push_back("--" + spec.name);
      fail(Errc::BadOption, "{} has no option --{}; it has: {}.", owner, name,
           names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", ")));
    }
  }
  Settings complete;
  for (const OptionSpec& spec : specs) {
    const auto found = given.find(spec.name);
    complete[spec.name] = checked(spec, found == given.end() ? spec.fallback : found->second);
  }
  return complete;
}

}  // namespace sqmax
