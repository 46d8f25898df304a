// ItemSearch: sorted word beginnings, and trigrams for what is nearly there.
#include "sqmax/serve/item_search.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include "sqmax/core/index.h"

#include "serve/edits.h"
#include "serve/fold_text.h"
#include "serve/trigrams.h"

namespace sqmax {
namespace {

constexpr std::size_t kNearMisses = 400;  // candidates whose edits are counted

// How well an item fits, best first; edits are added to Near.
enum Fit : std::uint8_t { Same, Begins, Word, Words, Inside, Near, None = 255 };

// The best fit of every place: there are few kinds of fit, so nothing needs to be sorted.
class Fits {
 public:
  explicit Fits(std::size_t places) : fits_(places, None) {}

  void add(Index place, int fit) {
    std::uint8_t& best = fits_[at(place)];
    found_ += best == None ? 1 : 0;
    best = static_cast<std::uint8_t>(std::min({int{best}, fit, None - 1}));
  }
  std::size_t found() const { return found_; }

  // At most k places, best first, the more popular first among equals.
  std::vector<Index> best(std::size_t k) const {
    std::vector<Index> places;
    k = std::min(k, found_);
    for (int fit = Same; places.size() < k; ++fit) {
      const std::uint8_t* const end = fits_.data() + fits_.size();
      for (const std::uint8_t* next = fits_.data(); places.size() < k; ++next) {
        next = static_cast<const std::uint8_t*>(std::memchr(next, fit, at(end - next)));
        if (next == nullptr) break;
        places.push_back(static_cast<Index>(next - fits_.data()));
      }
    }
    return places;
  }

 private:
  std::vector<std::uint8_t> fits_;
  std::size_t found_ = 0;
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
      texts[place] = id;
      if (!title.empty() && title != id) texts[place].append(" ").append(title);
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
    const auto begin = std::ranges::lower_bound(words, prefix, {}, cut);
    return {begin, std::ranges::upper_bound(words, prefix, {}, cut)};
  }

  Fit fit_of(const Start& start) const {
    const Index title = id_ends[at(start.place)] + 1;
    return start.offset == 0 || start.offset == title ? Begins : Word;
  }

  // Of the texts that have a word for each of the first i, those that have one for the next.
  void find_words(std::span<const std::string_view> wanted, Fits& fits) const {
    std::vector<std::uint32_t> matched(items.size(), 0);
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      for (const Start& start : beginning(wanted[i])) {
        std::uint32_t& count = matched[at(start.place)];
        if (count != i) continue;
        ++count;
        if (count == wanted.size()) fits.add(start.place, Words);
      }
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
                 Fits& fits) const {
    for (const Index place : trigrams.most_alike(text, kNearMisses)) {
      if (texts[at(place)].find(text) != std::string::npos) {
        fits.add(place, Inside);
      } else if (const int edits = edits_of(place, wanted); edits >= 0) {
        fits.add(place, Near + edits);
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

std::vector<Index> ItemSearch::find(std::string_view text, Index k) const {
  const State& state = *state_;
  const std::size_t most = std::min(at(std::max(k, 0)), state.items.size());
  if (text.empty()) {
    return {state.items.begin(), state.items.begin() + static_cast<std::ptrdiff_t>(most)};
  }
  const std::string folded = fold_text(text);
  const auto wanted = words_of(folded);
  Fits fits(state.items.size());
  if (const auto same = state.by_id.find(text)) fits.add(state.places[at(*same)], Same);
  if (!wanted.empty()) {
    for (const auto& start : state.beginning(folded)) fits.add(start.place, state.fit_of(start));
    if (wanted.size() > 1) state.find_words(wanted, fits);
    if (fits.found() < most) state.find_near(folded, wanted, fits);
  }
  std::vector<Index> items = fits.best(most);
  for (Index& item : items) item = state.items[at(item)];
  return items;
}

}  // namespace sqmax
