// Ids.
#include "cli/ids.h"

#include <algorithm>
#include <fstream>

#include "cli/text.h"
#include "core/fail.h"

namespace sqmax::cli {

Index Ids::position(const std::string& id) const {
  const auto found = index_.find(id);
  if (!found) fail(Errc::NotFound, "The model knows no {} '{}'.", what_, id);
  return *found;
}

void Ids::add_word(const std::string& word, std::vector<Index>& positions) const {
  if (const auto whole = index_.find(word)) {
    positions.push_back(*whole);
  } else if (word.starts_with('@')) {
    std::ifstream in(word.substr(1));
    if (!in) fail(Errc::NotFound, "Cannot open {}, a file of {}s.", word.substr(1), what_);
    for (std::string line; std::getline(in, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) positions.push_back(position(line));
    }
    if (in.bad()) fail(Errc::Io, "Cannot read {}, a file of {}s.", word.substr(1), what_);
  } else {
    for (const std::string& id : split_words(word, ',')) positions.push_back(position(id));
  }
}

std::vector<Index> Ids::positions(std::span<const std::string> words) const {
  std::vector<Index> positions;
  for (const std::string& word : words) add_word(word, positions);
  return positions;
}

std::vector<Index> Ids::set_of(std::span<const std::string> words) const {
  std::vector<Index> positions = this->positions(words);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

}  // namespace sqmax::cli
