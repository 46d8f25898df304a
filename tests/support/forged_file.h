// Forged files: any header, and the checksum that belongs to it.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/tensor_header.h"

namespace sqmax {

/// The bytes of a tensor file whose header is `json`; its checksum is right where it has one.
inline std::string forged_file(std::string json, std::string_view data) {
  json.append((8 - json.size() % 8) % 8, ' ');
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(json)));
  checksum.add(std::as_bytes(std::span(data)));
  const std::size_t place = json.find(kNoChecksum);
  if (place != std::string::npos) json.replace(place, kNoChecksum.size(), checksum.digest());
  const std::uint64_t length = json.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes.append(json).append(data);
}

/// A header of a kind, with these tensors: R"("x":{"dtype":…},…)".
inline std::string forged_header(const std::string& kind, const std::string& tensors,
                                 const std::string& metadata = "") {
  return R"({"__metadata__":{"checksum":"0000000000000000","format_version":"1","kind":")" + kind +
         "\"" + metadata + "}" + (tensors.empty() ? "" : "," + tensors) + "}";
}

inline std::string forged_tensor(const std::string& name, const std::string& dtype,
                                 const std::string& shape, const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
         offsets + "}";
}

}  // namespace sqmax
