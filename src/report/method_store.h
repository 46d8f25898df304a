// MethodStore: finished methods of a comparison, a file each, for a run that goes on.
// docs/file-formats.md
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "report/json.h"

namespace sqmax {

class MethodStore {
 public:
  /// `protocol`: data and settings that all methods of the folder must share.
  MethodStore(std::filesystem::path folder, Json protocol)
      : folder_(std::move(folder)), protocol_(std::move(protocol)) {}

  /// The method if it is there. Throws Errc::BadInput if it was made by another protocol,
  /// Errc::BadFile if the file is damaged.
  std::optional<MethodResult> find(const std::string& loss) const;

  /// Whole, or not at all.
  void keep(const MethodResult& method) const;

 private:
  std::filesystem::path path_of(const std::string& loss) const {
    return folder_ / (loss + ".json");
  }
  void check(const std::filesystem::path& path, const Json& protocol) const;

  std::filesystem::path folder_;
  Json protocol_;
};

}  // namespace sqmax
