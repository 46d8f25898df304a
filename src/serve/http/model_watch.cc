// ModelWatch: by device, inode, size and time of change, so that a renamed file is seen at once.
#include "serve/http/model_watch.h"

#include <exception>

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>

namespace sqmax::http {
namespace {

constexpr auto kInterval = std::chrono::seconds(1);

// Empty if there is no such file: it may be on its way.
std::string identity(const std::string& path) {
  struct stat status = {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return "";
  return fmt::format("{}:{}:{}:{}.{}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

WatchedFiles::WatchedFiles(std::string model_path, std::string items_path, EngineOptions options)
    : model(std::move(model_path)),
      items(std::move(items_path)),
      engine(options),
      seen(identities()) {}

std::vector<std::string> WatchedFiles::identities() const {
  return {identity(model), identity(items)};
}

ModelWatch::ModelWatch(Service& service, WatchedFiles files,
                       std::function<void(const std::string&)> tell)
    : service_(service),
      files_(std::move(files)),
      tell_(std::move(tell)),
      thread_([this] { watch(); }) {}

ModelWatch::~ModelWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ModelWatch::reload() {
  {
    const std::lock_guard lock(mutex_);
    is_asked_ = true;
  }
  wake_.notify_all();
}

void ModelWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    wake_.wait_for(lock, kInterval, [&] { return is_asked_ || is_over_; });
    if (is_over_) return;
    const auto now = files_.identities();
    const bool has_changed = now != files_.seen && !now.front().empty();
    if (!is_asked_ && !has_changed) continue;
    is_asked_ = false;
    files_.seen = now;
    lock.unlock();
    load();
    lock.lock();
  }
}

void ModelWatch::load() {
  try {
    service_.swap(load_catalogue(files_.model, files_.items, files_.engine));
    tell_(fmt::format("{} is loaded again.", files_.model));
    ::malloc_trim(0);  // what the old model leaves is spread over the arenas of many threads
  } catch (const std::exception& error) {
    service_.metrics().count_failed_swap();
    tell_(fmt::format("The model stays as it was: {}", error.what()));
  }
}

}  // namespace sqmax::http
