// Service: requests in, answers out; knows nothing of sockets.                    docs/server.md
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "sqmax/core/error.h"

#include "serve/http/access_log.h"
#include "serve/http/answer.h"
#include "serve/http/catalogue.h"
#include "serve/http/event_histories.h"
#include "serve/http/event_log.h"
#include "serve/http/metrics.h"
#include "serve/http/rate_limit.h"
#include "serve/http/route.h"

namespace sqmax::http {

/// What the service reads of a request.
struct Request {
  std::string method;
  std::string target;  ///< path and query, as sent
  std::string body;
  std::string content_type;
  std::string authorization;
  std::string origin;
  std::string client;              ///< an address
  std::optional<Refusal> refusal;  ///< found before the request could be read to its end
};

struct ServiceOptions {
  std::string token;       ///< empty: none is asked for
  std::string cors;        ///< the origin whose pages may ask, or "*"; empty: none
  double rate = 0.0;       ///< requests a second and client; 0: any number
  std::string events;      ///< the file of received events; empty: they are not taken
  std::string access_log;  ///< a file, or "-"; empty: none
  /// Told, in a sentence that may name files, what clients are not told; by any thread.
  std::function<void(const std::string&)> tell = {};
};

/// Called by many threads.
class Service {
 public:
  /// Throws Error if a file cannot be opened.
  Service(ServiceOptions options, SharedCatalogue catalogue);

  /// Never throws.
  Answer answer(const Request& request);

  SharedCatalogue catalogue() const;
  /// Requests that are being answered keep the one they began with.
  void swap(SharedCatalogue catalogue);
  void drain() { is_draining_ = true; }
  bool is_draining() const { return is_draining_; }

  bool takes_events() const { return event_log_ != nullptr; }
  /// Returns when they are on disk, and known.
  void add_events(const std::vector<Event>& events);
  const EventHistories& histories() const { return histories_; }
  /// What was in the file of events at the start; null: there is no such file.
  const EventLog* event_log() const { return event_log_.get(); }
  Metrics& metrics() { return metrics_; }

 private:
  Answer answer_of_error(const Error& error) const;
  Answer answer_of_bug(const std::exception& error) const;
  Answer guarded(const Request& request, const Match& match, std::string_view query);
  Answer answered(const Request& request, const Match& match, std::string_view query);
  Answer run(const Route& route, const Request& request, std::string_view query);
  std::optional<Answer> preflight(const Request& request, const Match& match) const;

  ServiceOptions options_;
  Metrics metrics_;
  RateLimit rate_limit_;
  AccessLog access_log_;
  EventHistories histories_;
  std::unique_ptr<EventLog> event_log_;
  std::atomic<bool> is_draining_ = false;
  mutable std::mutex mutex_;
  SharedCatalogue catalogue_;
};

}  // namespace sqmax::http
