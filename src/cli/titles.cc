// Titles from a tab-separated file.
#include "cli/titles.h"

#include <array>
#include <sstream>

#include "data/read/input_stream.h"

namespace sqmax::cli {
namespace {

std::string contents(const std::string& path) {
  InputStream stream(RawBytes::open(path));
  std::string text;
  std::array<char, 65536> part = {};
  while (const std::size_t count = stream.read(part)) text.append(part.data(), count);
  return text;
}

}  // namespace

Titles::Titles(const std::string& path) {
  if (path.empty()) return;
  std::istringstream lines(contents(path));
  for (std::string line; std::getline(lines, line);) {
    const auto tab = line.find('\t');
    if (tab != std::string::npos) titles_.emplace(line.substr(0, tab), line.substr(tab + 1));
  }
}

std::string Titles::of(const std::string& id) const {
  const auto found = titles_.find(id);
  return found == titles_.end() ? "" : found->second;
}

}  // namespace sqmax::cli
