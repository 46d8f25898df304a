// ArgumentParser on CLI11, the only file that includes it.
#include "cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <CLI/CLI.hpp>

#include "core/fail.h"

namespace sqmax::cli {
namespace {

CLI::Validator whole_number_between(std::int64_t low, std::int64_t high) {
  const auto check = [low, high](const std::string& text) {
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
    if (is_number && number >= low && number <= high) return std::string();
    return fmt::format("must be a whole number between {} and {}; '{}' is not", low, high, text);
  };
  return {check, ""};
}

}  // namespace

struct ArgumentParser::State {
  explicit State(const std::string& command, const std::string& summary)
      : app(summary, "sqmax " + command) {
    app.get_formatter()->column_width(30);
    app.set_help_flag("-h,--help", "explain the options");
  }
  CLI::App app;
};

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
      ->check(whole_number_between(low, high))
      ->type_name("INTEGER");
}

void ArgumentParser::whole_number(const std::string& name, std::optional<std::int64_t>& value,
                                  std::int64_t low, std::int64_t high, const std::string& help) {
  const auto assign = [&value](const std::int64_t& given) { value = given; };
  state_->app.add_option_function<std::int64_t>(name, assign, help)
      ->check(whole_number_between(low, high))
      ->type_name("INTEGER");
}

void ArgumentParser::option(const std::string& name, std::optional<double>& value,
                            const std::string& help) {
  const auto assign = [name, &value](const double& given) {
    if (!std::isfinite(given)) fail(Errc::BadOption, "{} must be a number, not {}.", name, given);
    value = given;
  };
  state_->app.add_option_function<double>(name, assign, help)->type_name("NUMBER");
}

void ArgumentParser::list(const std::string& name, std::vector<std::string>& values,
                          const std::string& help) {
  state_->app.add_option(name, values, help);
}

void ArgumentParser::flag(const std::string& name, bool& value, const std::string& help) {
  state_->app.add_flag(name, value, help);
}

void ArgumentParser::choice(const std::string& name, std::string& value,
                            const std::vector<std::string>& choices, const std::string& help) {
  state_->app.add_option(name, value, help)
      ->capture_default_str()
      ->check(CLI::IsMember(choices))
      ->type_name("");
}

void ArgumentParser::setting(const OptionSpec& spec, Settings& settings) {
  const auto assign = [spec, &settings](const std::string& given) { settings[spec.name] = given; };
  state_->app.add_option_function<std::string>("--" + spec.name, assign, spec.help)
      ->type_name(spec.choices.empty() ? "NUMBER" : CLI::detail::join(spec.choices, "|"));
}

void ArgumentParser::note(const std::string& text) { state_->app.footer(text); }

ArgumentParser::Outcome ArgumentParser::parse(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    state_->app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return Outcome::HelpAsked;
  } catch (const CLI::ParseError& error) {
    fail(Errc::BadOption, "{} ('{} --help' explains the options.)", error.what(),
         state_->app.get_name());
  }
  return Outcome::Parsed;
}

std::string ArgumentParser::help() const { return state_->app.help(); }

}  // namespace sqmax::cli
