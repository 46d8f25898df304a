// fold_text(): what is left of a text if writing it carelessly makes no difference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sqmax {

/// Small letters without accents (ASCII, Latin-1 and Latin Extended-A), words with one space
/// between. Anything else than ASCII letters and digits separates words, but other scripts stay as
/// they are.
std::string fold_text(std::string_view text);

/// The words of a folded text.
std::vector<std::string_view> words_of(std::string_view folded);

}  // namespace sqmax
