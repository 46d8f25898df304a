// Checkpoint: run.json, the model of the best trial, and the state of the fit under way.
#include "sqmax/train/checkpoint.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <string_view>
#include <system_error>

#include "sqmax/core/atomic_file.h"

#include "core/fail.h"
#include "core/file_calls.h"
#include "core/folder_lock.h"
#include "core/folders.h"
#include "core/half_written.h"
#include "core/shallow_json.h"
#include "train/kept_json.h"
#include "train/state_file.h"

namespace sqmax {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRun = "run.json";
constexpr std::string_view kOver = "run-over.json";       // what it is called while the rest goes
constexpr std::string_view kTable = "table.safetensors";  // kept by commands that read raw files

// The first thing that differs is named.
void check_identity(const fs::path& path, const Json& before, const Json& now) {
  for (const auto& [name, value] : now.items()) {
    if (before.contains(name) && before.at(name) == value) continue;
    fail(Errc::BadInput,
         "{} is of another run: its {} was {} and is now {}; give --checkpoint another folder, or "
         "remove that one to begin anew.",
         path.string(), name, before.contains(name) ? before.at(name).dump() : "nothing",
         value.dump());
  }
}

// Without the digits that it begins with; nothing if there are none.
std::optional<std::string_view> after_number(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  return end > 0 ? std::optional(text.substr(end)) : std::nullopt;
}

// best-12.safetensors or fit-3.safetensors; nothing else.
bool is_part(std::string_view name) {
  for (const std::string_view begin : {"best-", "fit-"}) {
    if (name.starts_with(begin)) return after_number(name.substr(begin.size())) == ".safetensors";
  }
  return false;
}

// What would have become a file of the checkpoint, had its run not been killed.
bool is_leftover(std::string_view name) {
  const std::string_view whole = name.substr(0, name.find(".tmp."));
  const bool is_known = whole == kRun || whole == kTable || is_part(whole);
  return is_known && is_half_written(name, whole);
}

// All else in the folder is somebody else's.
bool is_ours(std::string_view name) { return is_part(name) || is_leftover(name); }

std::vector<fs::path> files_in(const fs::path& folder, bool (*is_wanted)(std::string_view)) {
  std::vector<fs::path> found;
  std::error_code unknown;
  for (fs::directory_iterator entry(folder, unknown), end; entry != end; entry.increment(unknown)) {
    if (is_wanted(entry->path().filename().string())) found.push_back(entry->path());
  }
  return found;
}

// Nothing if it is not sound.
std::optional<Circumstances> circumstances_of(const Json& run) {
  const Json begun = run.is_object() ? run.value("begun", Json()) : Json();
  if (!begun.is_object()) return {};
  const Json memory = begun.value("memory", Json());
  const Json isa = begun.value("isa", Json());
  if (!memory.is_number_integer() || memory.get<std::int64_t>() < 0 || !isa.is_string()) return {};
  return Circumstances{.memory = memory.get<std::int64_t>(), .isa = isa.get<std::string>()};
}

}  // namespace

// A run that does not say is not gone on from: Checkpoint refuses it, once it is known not to be of
// another version, which may have said something else.
std::optional<Circumstances> kept_circumstances(const fs::path& folder) {
  std::error_code unknown;
  if (!fs::exists(folder / kRun, unknown)) return {};
  return circumstances_of(shallow_json_of<Json>(folder / kRun));
}

struct Checkpoint::State {
  explicit State(CheckpointOptions given)
      : options(std::move(given)), identity(Json::parse(options.identity)) {
    if (!options.is_locked) lock.emplace(options.folder);
    std::error_code unknown;
    if (!fs::exists(run_path(), unknown)) {
      begin();
    } else if (options.resume) {
      read_run();
      forget_all(is_leftover);
    } else {
      fail(Errc::BadInput,
           "{} is the checkpoint of an earlier run; give --resume to go on from it, or remove it.",
           run_path().string());
    }
  }

  fs::path run_path() const { return options.folder / kRun; }
  fs::path over_path() const { return options.folder / kOver; }
  fs::path best_path(std::size_t number) const {
    return options.folder / fmt::format("best-{}.safetensors", number);
  }
  fs::path fit_path(int number) const {
    return options.folder / fmt::format("fit-{}.safetensors", number);
  }

  // Models and states without a run.json are of a run that was killed while it removed them, or
  // they are somebody else's.
  void begin() const {
    std::error_code unknown;
    const auto parts = files_in(options.folder, is_part);
    if (!parts.empty() && !fs::exists(over_path(), unknown)) {
      fail(Errc::BadInput,
           "{} is not of a checkpoint, for there is no {} beside it; give --checkpoint another "
           "folder, or move that file.",
           parts.front().string(), kRun);
    }
    forget_all(is_ours);
    forget(over_path());
    write_run();
  }

  void read_run() {
    const Json json = shallow_json_of<Json>(run_path());
    try {
      check_identity(run_path(), json.at("identity"), identity);
      if (!circumstances_of(json)) fail_as_damaged();
      stored_trials = json.at("trials").get<std::vector<Json>>();
      for (const Json& each : stored_trials) {
        trials.push_back(kept_trial_of(each));
        curve_of(each.at("curve"));
      }
    } catch (const Json::exception&) {
      fail_as_damaged();
    }
  }

  [[noreturn]] void fail_as_damaged() const {
    fail(Errc::BadFile, "{} is damaged; remove the folder to begin anew.", run_path().string());
  }

  bool has_nothing() const {
    return !options.has_parts && stored_trials.empty() && files_in(options.folder, is_part).empty();
  }

  void write_run() const {
    AtomicFile file(run_path());
    const Json begun = {{"memory", options.begun.memory}, {"isa", options.begun.isa}};
    const Json run = {{"identity", identity}, {"begun", begun}, {"trials", stored_trials}};
    file.write(run.dump() + "\n");
    file.commit();
  }

  // The number of the best of the trials in run.json, from 1; 0: there is none.
  std::size_t best() const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < stored_trials.size(); ++i) {
      if (stored_trials[i].at("best").get<bool>()) found = i + 1;
    }
    return found;
  }

  void forget(const fs::path& path) const {
    std::error_code unknown;
    fs::remove(path, unknown);
  }

  void forget_all(bool (*is_useless)(std::string_view)) const {
    for (const fs::path& path : files_in(options.folder, is_useless)) forget(path);
  }

  CheckpointOptions options;
  Json identity;
  std::optional<FolderLock> lock;
  Json stored_trials = Json::array();
  std::vector<KeptTrial> trials;
  CurveRecorder* recorder = nullptr;
  int exceptions = std::uncaught_exceptions();
};

Checkpoint::Checkpoint(CheckpointOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
Checkpoint::~Checkpoint() {
  if (std::uncaught_exceptions() > state_->exceptions && state_->has_nothing()) remove();
}

void Checkpoint::follow(CurveRecorder& recorder) {
  state_->recorder = &recorder;
  for (std::size_t i = 0; i < state_->stored_trials.size(); ++i) {
    recorder.restore(static_cast<int>(i) + 1, curve_of(state_->stored_trials[i].at("curve")));
  }
}

std::span<const KeptTrial> Checkpoint::trials() const { return state_->trials; }

FitResult Checkpoint::best_fit() const {
  const fs::path path = state_->best_path(state_->best());
  Model model = load_model(path);
  try {
    return fit_of(std::move(model));
  } catch (const Json::exception&) {
    fail(Errc::BadFile, "{} is not of a checkpoint; remove the folder to begin anew.",
         path.string());
  }
}

// The model is there before run.json says so, and the one before goes after that.
void Checkpoint::keep(const KeptTrial& trial, const FitResult* fit) {
  const std::size_t number = state_->stored_trials.size() + 1;
  const std::size_t before = state_->best();
  if (fit != nullptr) save_model(with_story(*fit), state_->best_path(number));
  const Curve none;
  const auto place = static_cast<int>(number);
  const Curve& curve = state_->recorder != nullptr ? state_->recorder->of_trial(place) : none;
  state_->stored_trials.push_back(stored(trial, curve));
  state_->write_run();
  if (fit != nullptr && before > 0) state_->forget(state_->best_path(before));
  state_->forget(state_->fit_path(place));
}

std::unique_ptr<StateKeeper> Checkpoint::keeper(int number) {
  return file_keeper(state_->fit_path(number), state_->options.every, number, state_->recorder);
}

// Whoever finds the mark knows that the rest was the checkpoint's, and has had its result.
void Checkpoint::remove() {
  file_calls().rename(state_->run_path().c_str(), state_->over_path().c_str());
  state_->forget(state_->run_path());  // it could not be renamed
  state_->forget_all(is_ours);
  state_->forget(state_->over_path());
  remove_if_empty(state_->options.folder);
}

}  // namespace sqmax
