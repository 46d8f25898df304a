// ZipArchive: end record, zip64 records and central directory.
#include "data/read/zip_archive.h"

#include <algorithm>
#include <cstring>

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr Offset kEndSize = 22;
constexpr Offset kLargestComment = 0xFFFF;
constexpr Offset kLocatorSize = 20;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kEntrySize = 46;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the value is in a zip64 field
constexpr std::uint16_t kZip64Field = 1;
constexpr Offset kLargestDeflation = 1032;  // bytes of text for a stored byte, by the format

/// A little-endian number at a position that must exist.
template <class T>
T number_at(std::string_view bytes, std::size_t position) {
  if (position + sizeof(T) > bytes.size()) fail(Errc::BadInput, "its directory is cut off");
  T value = 0;
  std::memcpy(&value, bytes.data() + position, sizeof(T));
  return value;
}

Offset offset_at(std::string_view bytes, std::size_t position) {
  const auto value = number_at<std::uint64_t>(bytes, position);
  if (value > std::uint64_t{1} << 62U) fail(Errc::BadInput, "its directory is damaged");
  return static_cast<Offset>(value);
}

std::string part(const RandomBytes& bytes, Offset position, Offset count) {
  if (position < 0 || count < 0 || position > bytes.size() || count > bytes.size() - position) {
    fail(Errc::BadInput, "its directory is damaged");
  }
  std::string text(at(count), '\0');
  bytes.read(position, text);
  return text;
}

struct Directory {
  Offset position = 0;
  Offset size = 0;
};

Directory find_directory(const RandomBytes& bytes) {
  const Offset tail_size = std::min(bytes.size(), kEndSize + kLargestComment);
  const Offset tail_begin = bytes.size() - tail_size;
  const std::string tail = part(bytes, tail_begin, tail_size);
  const std::size_t end = tail.rfind("PK\x05\x06");
  if (end == std::string::npos) fail(Errc::BadInput, "its directory is missing: it is cut off");
  const std::string_view record = std::string_view(tail).substr(end);
  if (number_at<std::uint16_t>(record, 20) + at(kEndSize) > record.size()) {
    fail(Errc::BadInput, "its end is cut off");
  }
  Directory directory = {number_at<std::uint32_t>(record, 16),
                         number_at<std::uint32_t>(record, 12)};
  if (directory.position != kIn64 && directory.size != kIn64) return directory;
  const Offset locator = tail_begin + static_cast<Offset>(end) - kLocatorSize;
  const Offset end64 = offset_at(part(bytes, locator, kLocatorSize), 8);
  const std::string record64 = part(bytes, end64, kEnd64Size);
  return {offset_at(record64, 48), offset_at(record64, 40)};
}

// The fields of an entry that are all ones stand, in this order, in its zip64 field.
void read_zip64_field(std::string_view extra, ZipEntry& entry) {
  while (extra.size() >= 4) {
    const auto kind = number_at<std::uint16_t>(extra, 0);
    const auto size = number_at<std::uint16_t>(extra, 2);
    const std::string_view field = extra.substr(4, size);
    extra.remove_prefix(std::min<std::size_t>(extra.size(), 4U + size));
    if (kind != kZip64Field) continue;
    std::size_t position = 0;
    for (Offset* value : {&entry.size, &entry.stored_size, &entry.header}) {
      if (*value != kIn64) continue;
      *value = offset_at(field, position);
      position += 8;
    }
  }
}

/// Reads the entry at the front and removes it.
ZipEntry take_entry(std::string_view& directory) {
  if (!directory.starts_with("PK\x01\x02")) fail(Errc::BadInput, "its directory is damaged");
  const auto method = number_at<std::uint16_t>(directory, 10);
  const auto name_size = number_at<std::uint16_t>(directory, 28);
  const auto extra_size = number_at<std::uint16_t>(directory, 30);
  const auto comment_size = number_at<std::uint16_t>(directory, 32);
  ZipEntry entry = {
      .name = std::string(directory.substr(std::min(directory.size(), kEntrySize), name_size)),
      .deflated = method == 8,
      .checksum = number_at<std::uint32_t>(directory, 16),
      .stored_size = number_at<std::uint32_t>(directory, 20),
      .size = number_at<std::uint32_t>(directory, 24),
      .header = number_at<std::uint32_t>(directory, 42)};
  if (method != 0 && method != 8) fail(Errc::BadInput, "its compression is unknown");
  const std::size_t extra = std::min(directory.size(), kEntrySize + name_size);
  read_zip64_field(directory.substr(extra, extra_size), entry);
  directory.remove_prefix(std::min(directory.size(), extra + extra_size + comment_size));
  return entry;
}

}  // namespace

bool is_zip(std::string_view first_bytes) {
  return first_bytes.starts_with("PK\x03\x04") || first_bytes.starts_with("PK\x05\x06");
}

ZipArchive::ZipArchive(const RandomBytes& bytes) : bytes_(bytes) {
  try {
    const Directory place = find_directory(bytes);
    const std::string directory = part(bytes, place.position, place.size);
    for (std::string_view left = directory; !left.empty();) {
      ZipEntry entry = take_entry(left);
      const bool sound =
          entry.stored_size <= bytes.size() && entry.size / kLargestDeflation <= entry.stored_size;
      if (!sound) fail(Errc::BadInput, "the size of {} is wrong", entry.name);
      entries_.insert_or_assign(entry.name, entry);
    }
  } catch (const Error& error) {
    fail(Errc::BadInput, "Cannot read {} as a zip file: {}.", bytes.name(), error.what());
  }
}

const ZipEntry& ZipArchive::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    fail(Errc::BadInput,
         "{} is a zip file without {}, so it is no sparse matrix of SciPy; unpack it first.",
         bytes_.name(), name);
  }
  return found->second;
}

}  // namespace sqmax
