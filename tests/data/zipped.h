// Zip files of NumPy arrays, made byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/data/compressed.h"

namespace sqmax {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

inline std::string npy(const std::string& type, const std::string& shape,
                       const std::string& elements) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, static_cast<std::uint16_t>(header.size()));
  return out + header + elements;
}

struct ZipText {
  std::string name;
  std::string text;
};

// One entry after the other, then the directory; zip64 moves sizes and places to extra fields.
inline std::string zip(const std::vector<ZipText>& entries, bool deflated, bool zip64) {
  std::string out;
  std::string directory;
  for (const ZipText& entry : entries) {
    const std::string stored = deflated ? deflate_text(entry.text, -15) : entry.text;
    const auto crc =
        static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(entry.text.data()),
                                           static_cast<uInt>(entry.text.size())));
    const std::uint64_t place = out.size();
    const auto narrow = [&](std::uint64_t v) {
      return zip64 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(v);
    };
    std::string common;
    put<std::uint16_t>(common, 45);
    put<std::uint16_t>(common, 0);
    put<std::uint16_t>(common, deflated ? 8 : 0);
    put<std::uint32_t>(common, 0);
    put(common, crc);
    put(common, narrow(stored.size()));
    put(common, narrow(entry.text.size()));
    put(common, static_cast<std::uint16_t>(entry.name.size()));
    std::string extra;
    if (zip64) {
      put<std::uint16_t>(extra, 1);
      put<std::uint16_t>(extra, 24);
      put<std::uint64_t>(extra, entry.text.size());
      put<std::uint64_t>(extra, stored.size());
      put<std::uint64_t>(extra, place);
    }
    put(common, static_cast<std::uint16_t>(extra.size()));
    out += "PK\x03\x04" + common + entry.name + extra + stored;
    directory += "PK\x01\x02";
    put<std::uint16_t>(directory, 45);
    directory += common + std::string(10, '\0');
    put(directory, narrow(place));
    directory += entry.name + extra;
  }
  const std::uint64_t begin = out.size();
  out += directory;
  if (zip64) {
    const std::uint64_t end64 = out.size();
    out += "PK\x06\x06";
    put<std::uint64_t>(out, 44);
    out += std::string(28, '\0');
    put<std::uint64_t>(out, directory.size());
    put(out, begin);
    out += std::string("PK\x06\x07\0\0\0\0", 8);
    put(out, end64);
    put<std::uint32_t>(out, 1);
  }
  out += "PK\x05\x06" + std::string(8, '\0');
  put(out, zip64 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(directory.size()));
  put(out, zip64 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(begin));
  put<std::uint16_t>(out, 0);
  return out;
}

}  // namespace sqmax
