// sqmax synth: realistic interactions of any size, streamed.
#include "sqmax/data/synth.h"

#include <limits>

#include <fmt/format.h>

#include "sqmax/core/atomic_file.h"

#include "cli/command.h"
#include "cli/json.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kMostRows = std::numeric_limits<Index>::max();
constexpr std::size_t kFlushBytes = std::size_t{1} << 20;

struct SynthArgs {
  std::string like = "ml-1m";
  std::int64_t users = 0;
  std::int64_t items = 0;
  std::int64_t interactions = 0;
  std::int64_t seed = 0;
  std::string output;

  void describe(ArgumentParser& parser) {
    std::string names;
    for (const SynthPreset& preset : synth_presets()) names += " " + std::string(preset.name);
    parser.option("--like", like, "the size of a public data set:" + names);
    parser.whole_number("--users", users, 0, kMostRows, "instead of the preset's; 0: the preset's");
    parser.whole_number("--items", items, 0, kMostRows, "instead of the preset's");
    parser.whole_number("--interactions", interactions, 0, std::numeric_limits<Offset>::max(),
                        "instead of the preset's");
    parser.whole_number("--seed", seed, 0, std::numeric_limits<std::int64_t>::max(),
                        "of everything");
    parser.option("-o,--output", output, "the TSV to write; standard output if not given");
  }
};

SynthOptions options_of(const SynthArgs& args) {
  SynthOptions options = synth_preset(args.like);
  if (args.users > 0) options.users = static_cast<Index>(args.users);
  if (args.items > 0) options.items = static_cast<Index>(args.items);
  if (args.interactions > 0) options.interactions = args.interactions;
  options.seed = static_cast<std::uint64_t>(args.seed);
  return options;
}

int run(const SynthArgs& args, Session& session) {
  if (session.json() && args.output.empty()) {
    fail(Errc::BadOption,
         "synth --json wants -o FILE, because the data would go to standard output.");
  }
  const SynthOptions options = options_of(args);
  std::optional<AtomicFile> file;
  if (!args.output.empty()) file.emplace(args.output);
  std::string text = "user\titem\n";
  const auto flush = [&] {
    if (file) {
      file->write(text);
    } else {
      session.print(text);
    }
    text.clear();
  };
  const OnProgress progress = session.progress();
  synthesize(options, [&](Index user, std::span<const Index> items) {
    for (const Index item : items) fmt::format_to(std::back_inserter(text), "{}\t{}\n", user, item);
    if (text.size() < kFlushBytes) return;
    flush();
    if (progress({.stage = "writing", .done = user, .total = options.users}) == Next::Stop) {
      fail(Errc::Io, "Stopped before all was written; no file was changed.");
    }
  });
  flush();
  if (file) file->commit();
  if (session.json()) {
    session.print(Json{{"users", options.users},
                       {"items", options.items},
                       {"interactions", options.interactions},
                       {"file", args.output}});
  }
  return 0;
}

}  // namespace

Command synth_command() {
  return make_command<SynthArgs>("synth", "make realistic interactions of any size", &run);
}

}  // namespace sqmax::cli
