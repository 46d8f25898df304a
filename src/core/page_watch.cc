// One thread looks how many pages of files this process has in memory, as long as there is a
// mapping. The system would take them back when somebody needs the memory, but not before, and
// until then they count as ours.
#include "core/page_watch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace sqmax {
namespace {

// Cached pages are mapped at some GB a second: between two looks come some MB of them.
constexpr std::chrono::milliseconds kBetweenLooks(2);

// Of all mapped files, program and libraries among them.
std::size_t resident_file_bytes() {
  std::size_t program = 0, resident = 0, of_files = 0;
  std::ifstream("/proc/self/statm") >> program >> resident >> of_files;
  return of_files * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

class PageWatch {
 public:
  void add(void* begin, std::size_t size, std::size_t most) {
    const std::lock_guard lock(mutex_);
    if (mappings_.empty()) start();
    mappings_[begin] = {size, most};
  }

  void remove(void* begin) {
    std::jthread ended;  // waited for without the lock, which it may want
    {
      const std::lock_guard lock(mutex_);
      mappings_.erase(begin);
      if (mappings_.empty()) ended = std::move(thread_);
    }
  }

 private:
  struct Mapping {
    std::size_t size = 0;
    std::size_t most = 0;
  };

  void start() try {
    before_ = resident_file_bytes();
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {
    // no thread to be had: all stays right, and pages stay until the system wants them
  }

  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      wake_.wait_for(lock, stop, kBetweenLooks, [] { return false; });
      if (resident_file_bytes() > before_ + most()) give_back();
    }
  }

  std::size_t most() const {
    std::size_t least = SIZE_MAX / 2;
    for (const auto& [begin, mapping] : mappings_) least = std::min(least, mapping.most);
    return least;
  }

  void give_back() {
    for (const auto& [begin, mapping] : mappings_) {
      ::madvise(begin, mapping.size, MADV_DONTNEED);  // a wish: failure costs nothing
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<void*, Mapping> mappings_;
  std::size_t before_ = 0;
  std::jthread thread_;
};

PageWatch& page_watch() {
  static PageWatch* const watch = new PageWatch;  // mappings may outlive every other static
  return *watch;
}

}  // namespace

std::shared_ptr<const void> watch_pages(void* begin, std::size_t size, std::size_t most) {
  page_watch().add(begin, size, most);
  return {begin, [begin, size](const void*) {
            page_watch().remove(begin);
            ::munmap(begin, size);
          }};
}

}  // namespace sqmax
