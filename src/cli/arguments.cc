// ArgumentParser on CLI11, the only file that includes it.
#include "cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <CLI/CLI.hpp>
#include <fast_float/fast_float.h>
#include <fmt/ranges.h>

#include "cli/memory_size.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

CLI::Validator whole_number_between(const std::string& name, std::int64_t low, std::int64_t high) {
  const auto check = [name, low, high](const std::string& text) {
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
    if (is_number && number >= low && number <= high) return std::string();
    fail(Errc::BadOption, "{} must be a whole number between {} and {}; '{}' is not.", name, low,
         high, text);
  };
  return {check, ""};
}

}  // namespace

struct ArgumentParser::State {
  explicit State(std::string name, const std::string& summary)
      : command(std::move(name)), app(summary, "sqmax " + command) {
    app.get_formatter()->column_width(30);
    app.set_help_flag("-h,--help", "explain the options");
  }
  std::string command;
  CLI::App app;
};

namespace {

using Words = std::vector<std::string>;

bool is_option(const std::string& word) { return word.size() > 1 && word.starts_with('-'); }

/// What belongs to nothing, in the order in which it was given.
Words unknown_words(const CLI::App& app, const Words& words) {
  const Words left = app.remaining();
  Words unknown;
  for (const std::string& word : words) {
    if (std::find(left.begin(), left.end(), word) != left.end()) unknown.push_back(word);
  }
  return unknown;
}

std::string sentence_of_missing(const std::string& command, const CLI::App& app) {
  const auto is_missing = [](const CLI::Option* each) {
    return each->get_required() && each->count() == 0;
  };
  const auto options = app.get_options(is_missing);
  return fmt::format("{} wants {}: {}.", command, options.at(0)->get_name(),
                     options.at(0)->get_description());
}

/// CLI11's own sentence begins with the name of the option, dashes or not.
std::string sentence_of_mismatch(const CLI::App& app, const std::string& original) {
  std::string name = original.substr(0, original.find_first_of(": "));
  if (!is_option(name)) name.insert(0, "--");
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return original + ".";
  if (option->get_expected_max() == 0) return name + " is a switch and takes no value.";
  return name + (option->count() > 1 ? " is given more than once." : " wants a value.");
}

}  // namespace

ArgumentParser::ArgumentParser(const std::string& command, const std::string& summary)
    : state_(std::make_unique<State>(command, summary)) {}
ArgumentParser::~ArgumentParser() = default;

void ArgumentParser::positional(const std::string& name, std::string& value,
                                const std::string& help) {
  state_->app.add_option(name, value, help)->required()->type_name("");
}

void ArgumentParser::positionals(const std::string& name, std::vector<std::string>& values,
                                 const std::string& help) {
  state_->app.add_option(name, values, help)->type_name("");
}

void ArgumentParser::option(const std::string& name, std::string& value, const std::string& help) {
  state_->app.add_option(name, value, help)->capture_default_str();
}

void ArgumentParser::whole_number(const std::string& name, std::int64_t& value, std::int64_t low,
                                  std::int64_t high, const std::string& help) {
  state_->app.add_option(name, value, help)
      ->capture_default_str()
      ->check(whole_number_between(name, low, high))
      ->type_name("INTEGER");
}

void ArgumentParser::whole_number(const std::string& name, std::optional<std::int64_t>& value,
                                  std::int64_t low, std::int64_t high, const std::string& help) {
  const auto assign = [&value](const std::int64_t& given) { value = given; };
  state_->app.add_option_function<std::int64_t>(name, assign, help)
      ->check(whole_number_between(name, low, high))
      ->type_name("INTEGER");
}

void ArgumentParser::option(const std::string& name, std::optional<double>& value,
                            const std::string& help) {
  const auto assign = [name, &value](const std::string& text) {
    double number = 0.0;
    const char* end = text.data() + text.size();
    const auto parsed = fast_float::from_chars(text.data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number)) {
      fail(Errc::BadOption, "{} must be a number; '{}' is not.", name, text);
    }
    value = number;
  };
  state_->app.add_option_function<std::string>(name, assign, help)->type_name("NUMBER");
}

void ArgumentParser::option(const std::string& name, std::optional<std::string>& value,
                            const std::string& help) {
  const auto assign = [&value](const std::string& text) { value = text; };
  state_->app.add_option_function<std::string>(name, assign, help)->type_name("TEXT");
}

void ArgumentParser::memory_size(const std::string& name, std::optional<std::int64_t>& value,
                                 const std::string& help) {
  const auto assign = [name, &value](const std::string& text) {
    value = parse_memory_size(name, text);
  };
  state_->app.add_option_function<std::string>(name, assign, help)->type_name("SIZE");
}

void ArgumentParser::list(const std::string& name, std::vector<std::string>& values,
                          const std::string& help) {
  state_->app.add_option(name, values, help);
}

void ArgumentParser::flag(const std::string& name, bool& value, const std::string& help) {
  state_->app.add_flag(name, value, help)->disable_flag_override();
}

void ArgumentParser::choice(const std::string& name, std::string& value,
                            const std::vector<std::string>& choices, const std::string& help) {
  const auto check = [name, choices](const std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::string();
    fail(Errc::BadOption, "{} must be one of {}; '{}' is not.", name, fmt::join(choices, ", "),
         text);
  };
  state_->app.add_option(name, value, help)
      ->capture_default_str()
      ->check(CLI::Validator(check, ""))
      ->type_name("{" + CLI::detail::join(choices, ",") + "}");
}

void ArgumentParser::setting(const OptionSpec& spec, Settings& settings) {
  const auto assign = [spec, &settings](const std::string& given) { settings[spec.name] = given; };
  state_->app.add_option_function<std::string>("--" + spec.name, assign, spec.help)
      ->type_name(spec.choices.empty() ? "NUMBER" : CLI::detail::join(spec.choices, "|"));
}

void ArgumentParser::note(const std::string& text) { state_->app.footer(text); }

ArgumentParser::Outcome ArgumentParser::parse(const std::vector<std::string>& words) {
  CLI::App& app = state_->app;
  std::string sentence;
  try {
    app.parse(Words(words.rbegin(), words.rend()));  // CLI11 takes them from the back
    return Outcome::Parsed;
  } catch (const CLI::CallForHelp&) {
    return Outcome::HelpAsked;
  } catch (const CLI::ArgumentMismatch& error) {
    sentence = sentence_of_mismatch(app, error.what());
  } catch (const CLI::RequiredError&) {
    sentence = sentence_of_missing(state_->command, app);
  } catch (const CLI::ExtrasError&) {
    sentence = fmt::format("'{}' is one argument too many for {}.", unknown_words(app, words).at(0),
                           state_->command);
  } catch (const CLI::ParseError& error) {
    sentence = error.what() + std::string(".");
  }
  // An option that is not known may be the reason why something else is missing.
  const Words unknown = unknown_words(app, words);
  const auto option = std::find_if(unknown.begin(), unknown.end(), &is_option);
  if (option != unknown.end()) {
    sentence = fmt::format("There is no option {}.", option->substr(0, option->find('=')));
  }
  fail(Errc::BadOption, "{} ('{} --help' explains the options.)", sentence, app.get_name());
}

std::string ArgumentParser::help() const { return state_->app.help(); }

}  // namespace sqmax::cli
