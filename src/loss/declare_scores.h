// What the score losses in src/loss/losses share: options of the descent and of the samples.
#pragma once

#include <string>
#include <utility>

#include "loss/declare.h"

namespace sqmax {

template <class Options>
LossSpec score_loss(LossText text, ScoreLoss (*declare)(const Options&), int epochs,
                    Scoring scoring = Scoring::InnerProduct) {
  constexpr int kPatience = 5;  // an epoch by samples can be worse by chance
  LossSpec spec = described_loss<Options>(std::move(text), scoring);
  spec.epochs = epochs;
  spec.patience = kPatience;
  spec.declare_scores = [declare, read = options_reader<Options>(spec)](const Settings& given) {
    return declare(read(given));
  };
  return spec;
}

/// Wider than the paper's grids, which are {0.1, 0.01, 0.001} and {0, 10⁻⁶, 10⁻⁵, 10⁻⁴}.
struct DescentOptions {
  double rate = 0.01;
  double decay = 1e-5;
  double batch = 0;
  double power = 0.0;

  template <class Visitor>
  void describe(Visitor& visit, const std::string& of_what) {
    visit.number("learning-rate", rate, {.low = 1e-9, .high = 1e3, .search = {1e-3, 1e-1}},
                 "η, the length of a step");
    visit.number("decay", decay, {.low = 0, .high = 1e3, .search = {3e-7, 1e-4, Scale::Log, 0.1}},
                 "κ, how much vectors are pulled towards zero beside the mean over observed pairs");
    visit.number(
        "decay-power", power, {.low = 0, .high = 2, .search = {0.0, 1.0, Scale::Linear}},
        "ν, the power of a row's number of observed pairs in its decay, which is κ (n/n̄)^ν");
    visit.number("batch", batch, {.low = 0, .high = 1e9, .search = {}, .whole = true},
                 of_what + " of a step (0: as many as suit the data)");
  }
  Descent declare() const {
    return {.rate = rate, .decay = decay, .batch = static_cast<Index>(batch), .decay_power = power};
  }
};

struct SamplingOptions {
  double negatives = 10;
  std::string sampler = "uniform";
  double power = 0.75;
  std::string exclude = "yes";

  template <class Visitor>
  void describe(Visitor& visit) {
    visit.number("negatives", negatives, {.low = 1, .high = 1e4, .search = {}, .whole = true},
                 "n, how many items an observed pair is compared with");
    visit.choice("sampler", sampler, {"uniform", "popularity", "batch"},
                 "where they come from: all items alike; the more popular the more often; the "
                 "items of the other pairs of a step",
                 {sampler});
    visit.number("sampler-power", power, {.low = 0, .high = 2, .search = {}},
                 "the power of an item's popularity, if that is the sampler");
    visit.choice("exclude-observed", exclude, {"yes", "no"},
                 "whether items that the user has are left out of the sample", {exclude});
  }
  Sampling declare() const {
    return {.proposal = sampler == "uniform"      ? Proposal::Uniform
                        : sampler == "popularity" ? Proposal::Popularity
                                                  : Proposal::Batch,
            .power = power,
            .negatives = static_cast<Index>(negatives),
            .exclude_observed = exclude == "yes"};
  }
};

/// All that a sampled loss has to set, if nothing is its own.
struct PairOptions {
  DescentOptions descent;
  SamplingOptions sampling;

  template <class Visitor>
  void describe(Visitor& visit) {
    descent.describe(visit, "observed pairs");
    sampling.describe(visit);
  }
  ScoreLoss declare(double (*loss)(const SampledScores&, SampledSlopes&)) const {
    return {
        .full = {}, .sampled = loss, .sampling = sampling.declare(), .descent = descent.declare()};
  }
};

}  // namespace sqmax
