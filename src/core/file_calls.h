// FileCalls: what writing asks of the system. Tests put calls that fail in their place.
#pragma once

#include <cstddef>

#include <sys/types.h>

namespace sqmax {

struct FileCalls {
  int (*open)(const char* path, int flags, mode_t mode);
  ssize_t (*write)(int descriptor, const void* bytes, std::size_t size);
  int (*sync)(int descriptor);
  int (*sync_data)(int descriptor);  ///< the bytes and their number, not the times of the file
  int (*link)(int descriptor, const char* path);  ///< gives a nameless file a name
  int (*rename)(const char* from, const char* to);
  int (*random)(void* bytes, std::size_t size);  ///< for names that nobody else has
};

/// Those in use. Not to be changed while others write.
FileCalls& file_calls();

/// The system's own.
FileCalls system_file_calls();

}  // namespace sqmax
