// Forged files: any header, and the checksum that belongs to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/tensor_header.h"

namespace sqmax {

/// The bytes of a tensor file whose header is `json`; its checksum is right where it has one. Data
/// begin at a multiple of `alignment`, which is 8 in files of ours.
inline std::string forged_file(std::string json, std::string_view data, std::size_t alignment = 8) {
  json.append((alignment - json.size() % alignment) % alignment, ' ');
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

/// Where a JSON object at the front of a text ends; all of it if it does not.
inline std::size_t end_of_object(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted && text[i] == '\\') ++i;
    if (quoted) continue;
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth <= 0) return i + 1;
  }
  return text.size();
}

/// The same header and data with the length and the checksum that belong to them, so that what is
/// wrong with them is found by nothing but what they say. The header ends where its object does.
inline std::string resealed(std::string_view bytes, std::size_t alignment = 8) {
  constexpr std::string_view kKey = R"("checksum":")";
  bytes.remove_prefix(std::min(bytes.size(), sizeof(std::uint64_t)));
  const std::size_t end = end_of_object(bytes);
  std::string json(bytes.substr(0, end));
  const std::size_t data = std::min(bytes.find_first_not_of(' ', end), bytes.size());
  const std::size_t key = json.find(kKey);
  if (key != std::string::npos) {
    const std::size_t digits = key + kKey.size();
    json.replace(digits, json.find('"', digits) - digits, kNoChecksum);
  }
  return forged_file(std::move(json), bytes.substr(data), alignment);
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
