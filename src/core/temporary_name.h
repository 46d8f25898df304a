// What a file is called while it is written: NAME.tmp.PID.RANDOM, a name that nobody else has.
#pragma once

#include <cerrno>
#include <filesystem>

namespace sqmax {

inline constexpr int kMostTemporaryNames = 100;  // that are taken, before one gives up

/// Always of one length. Processes on two machines may have one number, so it is the system's
/// randomness that keeps them apart. Empty, with errno, if there is no randomness.
std::filesystem::path temporary_name(const std::filesystem::path& target);

/// Gives `temporary` one such name after the other until `make` says that it was free: not -1 with
/// EEXIST. What has a name already is never touched.
template <class Make>
int at_free_name(const std::filesystem::path& target, std::filesystem::path& temporary,
                 const Make& make) {
  for (int names = 1;; ++names) {
    const int made = make(temporary.c_str());
    if (made >= 0 || errno != EEXIST || names == kMostTemporaryNames) return made;
    temporary = temporary_name(target);
    if (temporary.empty()) return -1;
  }
}

}  // namespace sqmax
