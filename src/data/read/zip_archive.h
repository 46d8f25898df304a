// ZipArchive: the entries of a zip file, stored or deflated, by its central directory.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "data/read/random_bytes.h"

namespace sqmax {

/// Whether a file that begins like this is an archive, if only an empty one.
bool is_zip(std::string_view first_bytes);

struct ZipEntry {
  std::string name;
  bool deflated = false;
  std::uint32_t checksum = 0;  ///< CRC-32 of the text
  Offset stored_size = 0;
  Offset size = 0;
  Offset header = 0;  ///< where its local header is
};

/// Every failure is Errc::BadInput and names the file.
class ZipArchive {
 public:
  explicit ZipArchive(const RandomBytes& bytes);
  /// Throws if there is no such entry.
  const ZipEntry& entry(const std::string& name) const;
  bool has(const std::string& name) const { return entries_.contains(name); }
  const RandomBytes& bytes() const { return bytes_; }

 private:
  const RandomBytes& bytes_;
  std::map<std::string, ZipEntry> entries_;
};

/// The text of one entry, from its beginning to its end.
class ZipStream {
 public:
  ZipStream(const ZipArchive& archive, const std::string& name);
  ~ZipStream();
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;

  const std::string& file() const;
  /// Fills all of `text`. Throws if the entry ends before, or if it ends here and its checksum
  /// does not match.
  void read(std::span<char> text);
  Offset left() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
