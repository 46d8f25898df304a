// ItemSearch: sorted word beginnings, and trigrams for what is nearly there.
#include "sqmax/serve/item_search.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "sqmax/core/index.h"

#include "serve/edits.h"
#include "serve/fold_text.h"
#include "serve/trigrams.h"

namespace sqmax {
namespace {

constexpr std::size_t kNearMisses = 1000;  // candidates whose edits are counted

// How well an item fits, best first; edits are added to Near.
enum Fit { Same, Begins, Word, Words, Inside, Near };

struct Found {
  int fit = 0;
  Index place = 0;  // by popularity
  auto operator<=>(const Found&) const = default;
};

// One slip in a short word, two in a longer one.
int allowed_edits(std::string_view word) { return word.size() < 3 ? 0 : word.size() < 6 ? 1 : 2; }

}  // namespace

// Everything is by place: the most popular item is 0.
struct ItemSearch::State {
  State(IdTable table_of_ids, const ItemTable& table, std::span<const Index> popularity)
      : ids(std::move(table_of_ids)),
        by_id(ids),
        items(at(ids.size())),
        places(items.size()),
        texts(items.size()),
        trigrams(ids.size()) {
    std::iota(items.begin(), items.end(), 0);
    std::ranges::stable_sort(items, std::greater<>(), [&](Index y) { return popularity[at(y)]; });
    for (std::size_t place = 0; place < items.size(); ++place) {
      places[at(items[place])] = static_cast<Index>(place);
      const std::string id = fold_text(ids[items[place]]);
      const std::string title = fold_text(table.value("title", items[place]));
      id_ends.push_back(static_cast<Index>(id.size()));
      texts[place] = title.empty() || title == id ? id : id + " " + title;
      trigrams.add(texts[place]);
      add_words(static_cast<Index>(place));
    }
    std::ranges::sort(words, [this](const Start& a, const Start& b) {
      const int order = rest(a).compare(rest(b));
      return order != 0 ? order < 0 : a.place < b.place;
    });
    trigrams.finish();
  }

  // Where a word of a text begins.
  struct Start {
    Index place = 0;
    Index offset = 0;
  };

  std::string_view rest(const Start& start) const {
    return std::string_view(texts[at(start.place)]).substr(at(start.offset));
  }

  void add_words(Index place) {
    const std::string_view text = texts[at(place)];
    for (const std::string_view word : words_of(text)) {
      words.push_back({place, static_cast<Index>(word.data() - text.data())});
    }
  }

  // The words that begin so.
  std::span<const Start> beginning(std::string_view prefix) const {
    const auto cut = [&](const Start& start) { return rest(start).substr(0, prefix.size()); };
    const auto range = std::ranges::equal_range(words, prefix, {}, cut);
    return {range.begin(), range.end()};
  }

  Fit fit_of(const Start& start) const {
    const Index title = id_ends[at(start.place)] + 1;
    return start.offset == 0 || start.offset == title ? Begins : Word;
  }

  bool has_words(Index place, std::span<const std::string_view> wanted) const {
    const auto have = words_of(texts[at(place)]);
    return std::ranges::all_of(wanted, [&](std::string_view word) {
      return std::ranges::any_of(have, [&](std::string_view h) { return h.starts_with(word); });
    });
  }

  void find_words(std::span<const std::string_view> wanted, std::vector<Found>& found) const {
    std::span<const Start> fewest = beginning(wanted.front());
    for (const std::string_view word : wanted.subspan(1)) {
      const auto starts = beginning(word);
      if (starts.size() < fewest.size()) fewest = starts;
    }
    for (const Start& start : fewest) {
      if (has_words(start.place, wanted)) found.push_back({Words, start.place});
    }
  }

  // The edits that all words need together, each at the word where it needs fewest.
  int edits_of(Index place, std::span<const std::string_view> wanted) const {
    const auto have = words_of(texts[at(place)]);
    int sum = 0;
    for (const std::string_view word : wanted) {
      const int limit = allowed_edits(word);
      int least = limit + 1;
      for (const std::string_view h : have) least = std::min(least, edits_to_begin(word, h, limit));
      if (least > limit) return -1;
      sum += least;
    }
    return sum;
  }

  void find_near(std::string_view text, std::span<const std::string_view> wanted,
                 std::vector<Found>& found) const {
    for (const Index place : trigrams.most_alike(text, kNearMisses)) {
      if (texts[at(place)].find(text) != std::string::npos) {
        found.push_back({Inside, place});
      } else if (const int edits = edits_of(place, wanted); edits >= 0) {
        found.push_back({Near + edits, place});
      }
    }
  }

  IdTable ids;
  IdIndex by_id;
  std::vector<Index> items;        // by place
  std::vector<Index> places;       // by item
  std::vector<std::string> texts;  // folded id, and folded title if it is another
  std::vector<Index> id_ends;
  std::vector<Start> words;  // sorted by the text from there on
  Trigrams trigrams;
};

ItemSearch::ItemSearch(const IdTable& ids, const ItemTable& table,
                       std::span<const Index> popularity)
    : state_(std::make_unique<const State>(ids, table, popularity)) {}
ItemSearch::~ItemSearch() = default;
ItemSearch::ItemSearch(ItemSearch&&) noexcept = default;
ItemSearch& ItemSearch::operator=(ItemSearch&&) noexcept = default;

namespace {

// The best fit of each place, best first, at most k.
void keep_best(std::vector<Found>& found, std::size_t k) {
  std::ranges::sort(found, {}, [](const Found& f) { return std::pair(f.place, f.fit); });
  found.erase(std::ranges::unique(found, {}, &Found::place).begin(), found.end());
  const std::size_t count = std::min(k, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
  found.resize(count);
}

}  // namespace

std::vector<Index> ItemSearch::find(std::string_view text, Index k) const {
  const State& state = *state_;
  const std::size_t most = std::min(at(std::max(k, 0)), state.items.size());
  const std::string folded = fold_text(text);
  const auto wanted = words_of(folded);
  std::vector<Found> found;
  if (text.empty()) {
    return {state.items.begin(), state.items.begin() + static_cast<std::ptrdiff_t>(most)};
  }
  if (const auto same = state.by_id.find(text)) found.push_back({Same, state.places[at(*same)]});
  if (!wanted.empty()) {
    for (const auto& start : state.beginning(folded)) {
      found.push_back({state.fit_of(start), start.place});
    }
    if (wanted.size() > 1) state.find_words(wanted, found);
    keep_best(found, most);
    if (found.size() < most) state.find_near(folded, wanted, found);
  }
  keep_best(found, most);
  std::vector<Index> items;
  for (const Found& f : found) items.push_back(state.items[at(f.place)]);
  return items;
}

}  // namespace sqmax
