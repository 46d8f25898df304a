// Synthetic interactions: blocks of users are drawn in parallel and handed over in order.
#include "sqmax/data/synth.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "core/fail.h"
#include "data/synth_activity.h"
#include "data/synth_taste.h"

namespace sqmax {
namespace {

constexpr std::array<SynthPreset, 6> kPresets = {{
    {"ml-1m", {6'040, 3'706, 1'000'209, 0}},
    {"ml-10m", {69'815, 9'888, 8'240'192, 0}},
    {"electronics", {192'403, 63'001, 1'689'188, 0}},
    {"steam", {281'204, 11'961, 3'484'497, 0}},
    {"wiki", {129'404, 129'432, 13'715'724, 0}},
    {"billion", {10'000'000, 1'000'000, 1'000'000'000, 0}},
}};
constexpr Offset kBlocksPerThread = 4;
constexpr std::uint64_t kTasteStreams = std::uint64_t{1} << 61;  // apart from those of activity

void check(const SynthOptions& options) {
  if (options.users < 1 || options.items < 1) {
    fail(Errc::BadOption, "--users and --items must be at least 1; {} and {} are not.",
         options.users, options.items);
  }
  const Offset most = Offset{options.users} * options.items;
  if (options.interactions < options.users || options.interactions > most) {
    fail(Errc::BadOption,
         "--interactions must be between {} (one for each user) and {} (users times items); {} is "
         "not.",
         options.users, most, options.interactions);
  }
}

struct DrawnBlock {
  Block block;
  std::vector<Index> sizes;
  std::vector<Index> items;
};

void hand_over(const DrawnBlock& drawn, const SynthSink& sink) {
  std::size_t begin = 0;
  for (Offset u = drawn.block.begin; u < drawn.block.end; ++u) {
    const auto size = at(drawn.sizes[at(u - drawn.block.begin)]);
    sink(static_cast<Index>(u), std::span(drawn.items).subspan(begin, size));
    begin += size;
  }
}

class Synthesizer {
 public:
  explicit Synthesizer(const SynthOptions& options)
      : options_(options), activity_(options), catalogue_(options) {}

  // So many blocks at once that no thread waits, and so few that memory stays small.
  void run(const SynthSink& sink) const {
    const Offset together = kBlocksPerThread * thread_count();
    std::vector<DrawnBlock> drawn(at(together));
    for (Offset first = 0; first < activity_.blocks(); first += together) {
      const Offset count = std::min(together, activity_.blocks() - first);
      parallel_blocks(count, 1, [&](const Block& place) {
        draw_block(first + place.number, drawn[at(place.number)]);
      });
      for (Offset b = 0; b < count; ++b) hand_over(drawn[at(b)], sink);
    }
  }

 private:
  void draw_block(Offset number, DrawnBlock& drawn) const {
    const Offset grain = activity_.users_per_block();
    drawn.block = {number, number * grain, std::min<Offset>(options_.users, (number + 1) * grain)};
    drawn.sizes = activity_.sizes(drawn.block);
    drawn.items.clear();
    Taste taste(catalogue_);
    for (Offset u = drawn.block.begin; u < drawn.block.end; ++u) {
      Random random(options_.seed, Purpose::Synth, kTasteStreams + static_cast<std::uint64_t>(u));
      taste.draw_user(random, drawn.sizes[at(u - drawn.block.begin)], drawn.items);
    }
  }

  SynthOptions options_;
  Activity activity_;
  Catalogue catalogue_;
};

}  // namespace

std::span<const SynthPreset> synth_presets() { return kPresets; }

SynthOptions synth_preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SynthPreset& preset : kPresets) {
    if (preset.name == name) return preset.size;
    names.push_back(preset.name);
  }
  fail(Errc::BadOption, "--like must be one of {}; '{}' is not.", fmt::join(names, ", "), name);
}

void synthesize(const SynthOptions& options, const SynthSink& sink) {
  check(options);
  Synthesizer(options).run(sink);
}

Csr synthetic_matrix(const SynthOptions& options) {
  check(options);
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  offsets.reserve(at(options.users) + 1);
  indices.reserve(at(options.interactions));
  synthesize(options, [&](Index, std::span<const Index> items) {
    indices.insert(indices.end(), items.begin(), items.end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  });
  return {options.users, options.items, std::move(offsets), std::move(indices)};
}

}  // namespace sqmax
