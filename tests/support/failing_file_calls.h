// Calls of the file layer that fail: the n-th, whichever it is. FailingFileCalls puts them in
// place.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file_calls.h"

namespace sqmax::failing {

enum class Call {
  None,
  Random,
  OpenNameless,
  Open,
  Write,
  Sync,
  Link,
  Rename,
  OpenFolder,
  SyncFolder
};

inline int calls_until_failure = 0;
inline int writes = 0;
inline int reason = EIO;
inline bool has_nameless_files = true;
inline Call failed_call = Call::None;

/// The n-th call from now on fails; 0: none.
inline void fail_at(int call) {
  calls_until_failure = call;
  writes = 0;
  failed_call = Call::None;
}

inline bool fails(Call call) {
  if (--calls_until_failure != 0) return false;
  failed_call = call;
  errno = reason;
  return true;
}

inline int open(const char* path, int flags, mode_t mode) {
  const bool is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
  const bool is_folder = (flags & O_DIRECTORY) != 0;
  if (is_nameless && !has_nameless_files) {
    errno = EOPNOTSUPP;
    return -1;
  }
  const Call call = is_nameless ? Call::OpenNameless : is_folder ? Call::OpenFolder : Call::Open;
  return fails(call) ? -1 : ::open(path, flags, mode);
}

// Every other one takes a byte alone: a short write is no failure, and failures come in the middle
// of things. Which ones do must not depend on which call fails, or some calls would never do.
inline ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  if (fails(Call::Write)) return -1;
  return ::write(descriptor, bytes, ++writes % 2 == 1 ? std::min<std::size_t>(size, 1) : size);
}

inline int sync(int descriptor) {
  struct stat status = {};
  ::fstat(descriptor, &status);
  return fails(S_ISDIR(status.st_mode) ? Call::SyncFolder : Call::Sync) ? -1 : ::fsync(descriptor);
}

inline int link(int descriptor, const char* path) {
  return fails(Call::Link) ? -1 : system_file_calls().link(descriptor, path);
}

inline int rename(const char* from, const char* to) {
  return fails(Call::Rename) ? -1 : std::rename(from, to);
}

inline int random(void* bytes, std::size_t size) {
  return fails(Call::Random) ? -1 : ::getentropy(bytes, size);
}

/// While it lives, these are the calls; none fails before fail_at().
class FailingFileCalls {
 public:
  explicit FailingFileCalls(int why = EIO, bool has_nameless = true) {
    reason = why;
    has_nameless_files = has_nameless;
    fail_at(0);
    file_calls() = {.open = &open,
                    .write = &write,
                    .sync = &sync,
                    .sync_data = &sync,
                    .link = &link,
                    .rename = &rename,
                    .random = &random};
  }
  ~FailingFileCalls() { file_calls() = system_file_calls(); }
  FailingFileCalls(const FailingFileCalls&) = delete;
  FailingFileCalls& operator=(const FailingFileCalls&) = delete;
};

}  // namespace sqmax::failing
