// ModelWatch: loads a model again when its file changes, and lets it take the place of the old one.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/http/service.h"

namespace sqmax::http {

/// Made before the files are loaded for the first time, so that no change is missed.
struct WatchedFiles {
  WatchedFiles(std::string model_path, std::string items_path, EngineOptions options);
  /// What changes with the files.
  std::vector<std::string> identities() const;

  std::string model;
  std::string items;  ///< titles; may be empty
  EngineOptions engine;
  std::vector<std::string> seen;
};

class ModelWatch {
 public:
  /// Looks once a second, on a thread of its own. `tell` is told in a sentence what happened.
  /// `service` must outlive it.
  ModelWatch(Service& service, WatchedFiles files, std::function<void(const std::string&)> tell);
  ~ModelWatch();
  ModelWatch(const ModelWatch&) = delete;
  ModelWatch& operator=(const ModelWatch&) = delete;

  /// Loads it again, changed or not.
  void reload();

 private:
  void watch();
  void load();

  Service& service_;
  WatchedFiles files_;
  std::function<void(const std::string&)> tell_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_asked_ = false;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace sqmax::http
