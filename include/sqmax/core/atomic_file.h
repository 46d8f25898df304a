// AtomicFile: a file that appears whole under its name, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace sqmax {

/// Bytes go to a file without a name in the same folder, if the file system has such files, else to
/// a temporary one; commit() syncs it, puts it in its place and syncs the folder. Without commit()
/// nothing remains. A symbolic link stays: what it points to is written, whether it is there yet or
/// not. Devices and pipes are refused: a file would take their place. Every failure is an
/// Error(Errc::Io) that names the file, or its folder if that cannot be synced: then the file is in
/// its place, whole.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  void give_name();
  [[noreturn]] void fail_with_errno(const char* action) const;

  std::filesystem::path path_;    // as the caller calls it
  std::filesystem::path target_;  // the same without symbolic links at its end
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  bool is_named_ = false;
};

}  // namespace sqmax
