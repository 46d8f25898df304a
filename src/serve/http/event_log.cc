// EventLog: group commit. Whoever finds nobody writing takes all lines that wait and syncs once.
#include "serve/http/event_log.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/file_calls.h"
#include "core/folders.h"
#include "serve/http/json_text.h"

namespace sqmax::http {
namespace {

std::string line_of(const Event& event, std::int64_t time) {
  std::string line = "{\"user\": ";
  add_text(line, event.user);
  line += ", \"item\": ";
  add_text(line, event.item);
  return line + fmt::format(", \"time\": {}}}\n", time);
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = file_calls().write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

EventLog::EventLog(std::string path, EventHistories& histories)
    : path_(std::move(path)), next_(std::make_shared<Round>()) {
  descriptor_ = file_calls().open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
  if (descriptor_ < 0) fail(Errc::Io, "Cannot open {}: {}.", path_, std::strerror(errno));
  try {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      fail(Errc::BadOption, "--events {} is not a plain file.", path_);
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      fail(Errc::Io, "Another server writes its events to {}.", path_);
    }
    sync_folder(folder_of(path_));  // that the file is there must survive a power cut, too
    read_back(histories);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

EventLog::~EventLog() { ::close(descriptor_); }

void EventLog::append(std::span<const Event> events) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  std::string lines;
  for (const Event& event : events) lines += line_of(event, seconds);
  auto following = std::make_shared<Round>();  // may throw: before lines wait for it

  std::unique_lock lock(mutex_);
  const std::shared_ptr<Round> mine = next_;
  mine->lines += lines;
  done_.wait(lock, [&] { return mine->is_done || !is_writing_; });
  if (!mine->is_done) {
    next_ = std::move(following);
    write_round(*mine, lock);
  }
  if (!mine->problem.empty()) fail(Errc::Io, "{}", mine->problem);
}

// Whoever waits for it is woken, however it ends: also by lack of memory, or by a bug.
void EventLog::write_round(Round& round, std::unique_lock<std::mutex>& lock) {
  std::exception_ptr stopped;
  is_writing_ = true;
  lock.unlock();
  try {
    round.problem = write_out(round.lines);
  } catch (...) {
    stopped = std::current_exception();
    cut();
  }
  lock.lock();
  round.is_done = true;
  is_writing_ = false;
  done_.notify_all();
  if (stopped) std::rethrow_exception(stopped);
}

// Empty if all went well. What was written in part is taken back, at the latest before the next
// lines: they would continue a line that is torn. Nor is a sync that failed tried again: the system
// may take pages for written that are not.
std::string EventLog::write_out(const std::string& lines) {
  if (is_torn_ && !cut()) {
    return fmt::format("Cannot cut the incomplete last line of {}: {}.", path_,
                       std::strerror(errno));
  }
  if (write_all(descriptor_, lines) && file_calls().sync_data(descriptor_) == 0) {
    size_ += static_cast<std::int64_t>(lines.size());
    return "";
  }
  const std::string reason = std::strerror(errno);
  return fmt::format("Cannot write to {}: {}{}.", path_, reason,
                     cut() ? "" : "; its last line may be incomplete");
}

bool EventLog::cut() {
  is_torn_ = ::ftruncate(descriptor_, size_) != 0;
  return !is_torn_;
}

}  // namespace sqmax::http
