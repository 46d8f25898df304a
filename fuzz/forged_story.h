// Models with another story: any text where what is known of their making is kept.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sqmax/model/model.h"

#include "fuzz/memory_file.h"
#include "tests/support/forged_file.h"

namespace sqmax {

/// The file of a model; `name` is that of a file for a moment.
inline std::string stored_bytes(const Model& model, const std::string& name) {
  const auto path = memory_path(name);
  save_model(model, path);
  std::string bytes = bytes_of(path);
  std::filesystem::remove(path);
  return bytes;
}

/// The same file with any text in place of its story, sealed again.
inline std::string with_story(const std::string& model, std::string_view story) {
  constexpr std::string_view kKey = "\"story\":";
  const std::size_t begin = model.find(kKey) + kKey.size();
  std::size_t end = begin + 1;
  while (model[end] != '"') end += model[end] == '\\' ? 2 : 1;
  const auto replace = nlohmann::json::error_handler_t::replace;
  const std::string text = nlohmann::json(story).dump(-1, ' ', false, replace);
  return resealed(model.substr(0, begin) + text + model.substr(end + 1));
}

}  // namespace sqmax
