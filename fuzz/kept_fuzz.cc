// Any bytes where a run that goes on, or a server that starts again, looks for what it kept: the
// trials of a checkpoint, the methods of a comparison, the events of a server.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "sqmax/core/error.h"
#include "sqmax/train/checkpoint.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "report/method_store.h"
#include "serve/http/event_log.h"

namespace {

using sqmax::require;
using sqmax::try_it;

/// Of this process, and gone with it.
class Folder {
 public:
  Folder() : path_(sqmax::memory_path("sqmax_kept_fuzz")) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const char* name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void read_trials(const Folder& folder, std::string_view bytes) {
  folder.write("run.json", bytes);
  try_it([&] {
    sqmax::CurveRecorder recorder;
    sqmax::Checkpoint checkpoint(
        {.folder = folder.path(), .identity = R"({"seed":1})", .resume = true});
    checkpoint.follow(recorder);
    for (const sqmax::KeptTrial& kept : checkpoint.trials()) require(kept.asked.size() < 1000);
    checkpoint.best_fit();
  });
}

void read_method(const Folder& folder, std::string_view bytes) {
  folder.write("rgp.json", bytes);
  try_it([&] {
    const auto method = sqmax::MethodStore(folder.path(), {{"seed", 1}}).find("rgp");
    require(method.has_value());
  });
}

// What was read once is read again: the last line is whole then.
void read_events(const Folder& folder, std::string_view bytes) {
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
  static const Folder folder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_trials(folder, bytes);
  read_method(folder, bytes);
  read_events(folder, bytes);
  return 0;
}
