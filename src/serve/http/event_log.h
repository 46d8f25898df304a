// EventLog: received interactions, on disk before anybody is told so.             docs/server.md
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "serve/http/event_histories.h"

namespace sqmax::http {

/// JSON lines, {"user": …, "item": …, "time": seconds}: what `sqmax prepare` reads.
class EventLog {
 public:
  /// Reads what is there into `histories`. A last line that was cut off is cut away; another line
  /// that is no event is left out and counted. Throws Errc::Io, also if another server has it, and
  /// Errc::BadOption for a device or pipe.
  EventLog(std::string path, EventHistories& histories);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// Returns when they are on disk. Those of many callers share one fsync. Throws Errc::Io, and
  /// then none of them is in the file.
  void append(std::span<const Event> events);

  std::size_t events_read() const { return events_read_; }
  std::size_t bad_lines() const { return bad_lines_; }
  std::size_t first_bad_line() const { return first_bad_line_; }
  bool was_cut() const { return was_cut_; }

 private:
  // Callers wait for the round that takes their lines; one of them writes it.
  struct Round {
    std::string lines;
    std::string problem = "Events were not written.";  // until it is known
    bool is_done = false;
  };

  void read_back(EventHistories& histories);
  void write_round(Round& round, std::unique_lock<std::mutex>& lock);
  std::string write_out(const std::string& lines);
  bool cut();

  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;  // of the file, up to the last whole append
  bool is_torn_ = false;   // there is more in the file, and it could not be cut away
  std::size_t events_read_ = 0;
  std::size_t bad_lines_ = 0;
  std::size_t first_bad_line_ = 0;
  bool was_cut_ = false;

  std::mutex mutex_;
  std::condition_variable done_;
  std::shared_ptr<Round> next_;
  bool is_writing_ = false;
};

}  // namespace sqmax::http
