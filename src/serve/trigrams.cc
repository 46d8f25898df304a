// Trigrams: a sorted list of (trigram, text).
#include "serve/trigrams.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sqmax {
namespace {

constexpr std::size_t kMostTrigrams = 255;  // of a text that is looked for: counts are bytes

std::vector<std::uint32_t> trigrams_of(std::string_view folded) {
  const std::string text = " " + std::string(folded);
  std::vector<std::uint32_t> trigrams;
  for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
    std::uint32_t code = 0;
    for (std::size_t j = i; j < i + 3; ++j) code = code << 8 | static_cast<unsigned char>(text[j]);
    trigrams.push_back(code);
  }
  std::ranges::sort(trigrams);
  trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
  return trigrams;
}

}  // namespace

Trigrams::Trigrams(Index texts) : count_(texts) {}

void Trigrams::add(std::string_view folded) {
  for (const std::uint32_t trigram : trigrams_of(folded)) entries_.push_back({trigram, added_});
  ++added_;
}

void Trigrams::finish() {
  std::ranges::sort(entries_, {}, [](const Entry& e) { return std::pair(e.trigram, e.text); });
}

std::vector<Index> Trigrams::most_alike(std::string_view folded, std::size_t most) const {
  std::vector<std::uint32_t> wanted = trigrams_of(folded);
  wanted.resize(std::min(wanted.size(), kMostTrigrams));
  std::vector<std::uint8_t> shared(at(count_));
  for (const std::uint32_t trigram : wanted) {
    auto entry = std::ranges::lower_bound(entries_, trigram, {}, &Entry::trigram);
    for (; entry != entries_.end() && entry->trigram == trigram; ++entry) ++shared[at(entry->text)];
  }
  // Positions by falling counts: a place for each count, then each text to its place.
  std::vector<std::size_t> begins(kMostTrigrams + 2, 0);
  for (const std::uint8_t count : shared) ++begins[count];
  std::size_t alike = 0;
  for (std::size_t count = kMostTrigrams + 1; count-- > 1;) {
    const std::size_t here = begins[count];
    begins[count] = alike;
    alike += here;
  }
  std::vector<Index> texts(alike);
  for (Index text = 0; text < count_; ++text) {
    if (shared[at(text)] > 0) texts[begins[shared[at(text)]]++] = text;
  }
  texts.resize(std::min(most, texts.size()));
  return texts;
}

}  // namespace sqmax
