// ArgumentParser: where a command says what it takes; parsing and help come from the same words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sqmax/core/settings.h"

namespace sqmax::cli {

/// A thin door to CLI11. Values given on the command line are written into the variables.
class ArgumentParser {
 public:
  ArgumentParser(const std::string& command, const std::string& summary);
  ~ArgumentParser();
  ArgumentParser(const ArgumentParser&) = delete;
  ArgumentParser& operator=(const ArgumentParser&) = delete;

  void positional(const std::string& name, std::string& value, const std::string& help);
  void positionals(const std::string& name, std::vector<std::string>& values,
                   const std::string& help);

  void option(const std::string& name, std::string& value, const std::string& help);
  void whole_number(const std::string& name, std::int64_t& value, std::int64_t low,
                    std::int64_t high, const std::string& help);
  /// Without a default of its own.
  void whole_number(const std::string& name, std::optional<std::int64_t>& value, std::int64_t low,
                    std::int64_t high, const std::string& help);
  void option(const std::string& name, std::optional<double>& value, const std::string& help);
  /// An empty text is one that was given.
  void option(const std::string& name, std::optional<std::string>& value, const std::string& help);
  /// Bytes, written like 65536, 512M or 2G.
  void memory_size(const std::string& name, std::optional<std::int64_t>& value,
                   const std::string& help);
  /// May be repeated and may hold several words.
  void list(const std::string& name, std::vector<std::string>& values, const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help);
  /// Puts the word under its name into `settings`, if it is given; the owner checks it.
  void setting(const OptionSpec& spec, Settings& settings);

  void note(const std::string& text);  ///< printed after the options

  enum class Outcome { Parsed, HelpAsked };
  /// Throws Error(Errc::BadOption) for anything that is not understood.
  Outcome parse(const std::vector<std::string>& words);
  std::string help() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax::cli
