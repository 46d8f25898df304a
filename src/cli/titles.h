// Titles: what items are called by people, from a table of id and title.
#pragma once

#include <map>
#include <string>

namespace sqmax::cli {

class Titles {
 public:
  Titles() = default;
  /// A tab-separated file, plain or compressed: id, title; a first line of names is harmless.
  explicit Titles(const std::string& path);
  /// Empty if there is none.
  std::string of(const std::string& id) const;

 private:
  std::map<std::string, std::string> titles_;
};

}  // namespace sqmax::cli
