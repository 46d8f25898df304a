// What the files in src/loss/losses share: options by visitor, the two kinds of ridge, and links.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sqmax/loss/loss_spec.h"

namespace sqmax {

// LossSpec rg2_loss(); and so on, one for each file.
#define LOSS(name) LossSpec name##_loss();
#include "loss/losses.inc"
#undef LOSS

/// What is allowed for a number, and where a search looks for it.
struct Range {
  double low = 0.0;
  double high = 1e9;
  SearchRange search;
  bool whole = false;
  Redo redo = Redo::Fit;
};

/// Collects OptionSpecs from the default values of an options struct.
class OptionCollector {
 public:
  void number(const std::string& name, double& value, const Range& range, const std::string& help) {
    specs.push_back({.name = name,
                     .help = help,
                     .fallback = value,
                     .low = range.low,
                     .high = range.high,
                     .search = range.search,
                     .choices = {},
                     .whole = range.whole,
                     .redo = range.redo});
  }
  void choice(const std::string& name, std::string& value, std::vector<std::string> choices,
              const std::string& help, std::vector<std::string> drawn = {}) {
    specs.push_back({.name = name,
                     .help = help,
                     .fallback = value,
                     .low = 0.0,
                     .high = 0.0,
                     .search = {},
                     .choices = std::move(choices),
                     .drawn = std::move(drawn)});
  }
  std::vector<OptionSpec> specs;
};

/// Copies settings into an options struct.
class OptionReader {
 public:
  explicit OptionReader(const Settings& settings) : settings_(settings) {}
  void number(const std::string& name, double& value, const Range&, const std::string&) {
    value = std::get<double>(settings_.at(name));
  }
  void choice(const std::string& name, std::string& value, const std::vector<std::string>&,
              const std::string&, const std::vector<std::string>& = {}) {
    value = std::get<std::string>(settings_.at(name));
  }

 private:
  const Settings& settings_;
};

struct LossText {
  std::string name;
  std::string title;
  std::string formula;
};

/// A LossSpec whose options are the fields that `Options::describe` visits; it declares nothing
/// yet.
template <class Options>
LossSpec described_loss(LossText text, Scoring scoring) {
  OptionCollector collector;
  Options{}.describe(collector);
  LossSpec spec;
  spec.name = std::move(text.name);
  spec.title = std::move(text.title);
  spec.formula = std::move(text.formula);
  spec.options = std::move(collector.specs);
  spec.scoring = scoring;
  return spec;
}

/// Settings → Options, what is not given by default.
template <class Options>
auto options_reader(const LossSpec& spec) {
  return [owner = "The loss " + spec.name, specs = spec.options](const Settings& given) {
    const Settings settings = completed(owner, specs, given);
    Options options;
    OptionReader reader(settings);
    options.describe(reader);
    return options;
  };
}

template <class Options>
LossSpec quadratic_loss(LossText text, QuadraticLaw (*declare)(const Options&, const Degrees&),
                        Scoring scoring = Scoring::InnerProduct) {
  LossSpec spec = described_loss<Options>(std::move(text), scoring);
  spec.declare = [declare, read = options_reader<Options>(spec)](const Settings& given,
                                                                 const Degrees& degrees) {
    return declare(read(given), degrees);
  };
  return spec;
}

/// One more kind of ridge that a loss declares itself, and which kinds a search tries.
struct MoreRidge {
  std::string name;
  std::string help;
  std::vector<std::string> drawn;
};

/// λ on every row (plain), λ times the row's share of the weights (weighted), or a matter of the
/// loss itself.
struct RidgeOptions {
  double lambda = 0.1;
  std::string ridge = "weighted";

  template <class Visitor>
  void describe(Visitor& visit, const SearchRange& search, const MoreRidge& more = {}) {
    visit.number("lambda", lambda, {.low = 0.0, .high = 1e9, .search = search, .redo = Redo::Path},
                 "λ, the strength of the ridge");
    std::vector<std::string> choices = {"weighted", "plain"};
    std::string help = "weighted: λ times the sum of a row's weights; plain: λ on every row";
    if (!more.name.empty()) {
      choices.push_back(more.name);
      help += "; " + more.name + ": " + more.help;
    }
    visit.choice("ridge", ridge, choices, help, more.drawn);
  }
  void declare(QuadraticLaw& law) const {
    if (ridge == "weighted") {
      law.weighted_ridge = lambda;
    } else if (ridge == "plain") {
      law.users.ridge = law.items.ridge = constant(lambda);
    }
  }
};

/// How many items speak for an item beyond its vector, and how timidly.            docs/links.md
struct LinkChoice {
  double links = 0.0;
  double ridge = 0.3;

  template <class Visitor>
  void describe(Visitor& visit, const SearchRange& count = {}, const SearchRange& search = {}) {
    visit.number("links", links, {.low = 0, .high = 63, .search = count, .whole = true},
                 "m, how many other items speak for an item on top of the vectors; 0: none");
    visit.number("link-ridge", ridge, {.low = 0, .high = 1e6, .search = search},
                 "κ, the ridge of links, relative to their curvature");
  }
};

}  // namespace sqmax
