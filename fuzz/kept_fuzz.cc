// Any bytes where a run that goes on, or a server that starts again, looks for what it kept: the
// trials of a checkpoint and the best of them, the methods of a comparison, the events of a server.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "sqmax/core/error.h"
#include "sqmax/train/checkpoint.h"

#include "fuzz/byte_source.h"
#include "fuzz/forged_story.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "report/method_store.h"
#include "serve/http/event_log.h"
#include "tests/support/forged_file.h"
#include "tests/support/trained_model.h"

namespace {

using sqmax::MemoryFolder;
using sqmax::require;
using sqmax::try_it;

constexpr const char* kBest = "best-1.safetensors";

sqmax::CheckpointOptions options_of(const std::filesystem::path& folder) {
  return {.folder = folder, .identity = R"({"seed":1})", .resume = true};
}

/// The files of a run whose first trial was its best.
struct SoundRun {
  std::string run;
  std::string best;
};

SoundRun sound_run() {
  const MemoryFolder folder("sqmax_kept_fuzz_sound");
  sqmax::Checkpoint checkpoint(options_of(folder.path()));
  const sqmax::FitResult fit{.model = sqmax::trained_model("rgp", 6, 7, 2), .solver = "als"};
  const sqmax::Trial trial{.rank = 2, .solver = "als", .valid = {{"ndcg@5", 0.5}}};
  checkpoint.keep({.rank = 2, .trial = trial, .is_best = true}, &fit);
  return {sqmax::bytes_of(folder.path() / "run.json"), sqmax::bytes_of(folder.path() / kBest)};
}

// The best of what it says is there, and sound.
void read_trials(const MemoryFolder& folder, std::string_view bytes, const SoundRun& sound) {
  folder.write("run.json", bytes);
  try_it([&] {
    sqmax::CurveRecorder recorder;
    sqmax::Checkpoint checkpoint(options_of(folder.path()));
    checkpoint.follow(recorder);
    std::size_t best = 0;
    for (std::size_t i = 0; i < checkpoint.trials().size(); ++i) {
      require(checkpoint.trials()[i].asked.size() < 1000);
      if (checkpoint.trials()[i].is_best) best = i + 1;
    }
    const auto path = folder.write("best-" + std::to_string(best) + ".safetensors", sound.best);
    require(checkpoint.best_fit().solver == "als");
    std::filesystem::remove(path);
  });
}

void read_best(const MemoryFolder& folder, std::string_view bytes, const SoundRun& sound) {
  folder.write("run.json", sound.run);
  folder.write(kBest, bytes);
  try_it([&] {
    const sqmax::FitResult fit = sqmax::Checkpoint(options_of(folder.path())).best_fit();
    require(fit.steps >= 0 && fit.kept >= 0 && fit.reason <= sqmax::StopReason::Diverged);
    require(fit.model.story == "{}");
  });
}

// A byte of the model for every three of the input: two say where, one what.
std::string with_changes(std::string model, std::string_view bytes) {
  for (; bytes.size() >= 3; bytes.remove_prefix(3)) {
    const auto place =
        static_cast<unsigned char>(bytes[0]) * 256U + static_cast<unsigned char>(bytes[1]);
    model[place % model.size()] = bytes[2];
  }
  return sqmax::resealed(model);
}

void read_method(const MemoryFolder& folder, std::string_view bytes) {
  folder.write("rgp.json", bytes);
  try_it([&] {
    const auto method = sqmax::MethodStore(folder.path(), {{"seed", 1}}).find("rgp");
    require(method.has_value());
  });
}

// What was read once is read again: the last line is whole then.
void read_events(const MemoryFolder& folder, std::string_view bytes) {
  const std::string path = folder.write("events", bytes).string();
  try_it([&] {
    std::size_t events = 0;
    {
      sqmax::http::EventHistories histories;
      events = sqmax::http::EventLog(path, histories).events_read();
      require(histories.users() <= events);
    }
    sqmax::http::EventHistories histories;
    const sqmax::http::EventLog again(path, histories);
    require(again.events_read() == events && !again.was_cut());
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const MemoryFolder folder("sqmax_kept_fuzz");
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const SoundRun sound = sound_run();
  read_trials(folder, bytes, sound);
  read_best(folder, sqmax::resealed(bytes), sound);
  read_best(folder, sqmax::with_story(sound.best, bytes), sound);
  read_best(folder, with_changes(sound.best, bytes), sound);
  read_method(folder, bytes);
  read_events(folder, bytes);
  return 0;
}
