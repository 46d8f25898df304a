// ItemSearch: what people type, and what a scan of all items says.
#include "sqmax/serve/item_search.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/random.h"

#include "serve/edits.h"
#include "serve/fold_text.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Shelf {
  explicit Shelf(const std::vector<std::pair<std::string, std::string>>& entries) {
    IdMap map;
    std::vector<Offset> offsets = {0};
    std::vector<std::uint8_t> bytes;
    for (const auto& [id, title] : entries) {
      map.insert(id);
      bytes.insert(bytes.end(), title.begin(), title.end());
      offsets.push_back(static_cast<Offset>(bytes.size()));
    }
    ids = map.take_table();
    table = {.columns = {"title"}, .values = {{std::move(offsets), std::move(bytes)}}};
  }

  ItemSearch search(const std::vector<Index>& popularity) const { return {ids, table, popularity}; }

  IdTable ids;
  ItemTable table;
};

const std::vector<std::pair<std::string, std::string>> kFilms = {
    {"1", "Toy Story (1995)"},       {"2", "Star Wars: A New Hope"}, {"3", "Star Trek"},
    {"4", "The Wars of the Roses"},  {"5", "Amélie Poulain"},        {"6", "The Matrix"},
    {"7", "The Matrix Reloaded"},    {"10", "Starship Troopers"},    {"tt-6", "Über uns"},
    {"wars", "Something Different"}, {"x", "Trollsländan"}};

TEST(ItemSearch, WordsBeginningsAndPopularity) {
  const ItemSearch search = Shelf(kFilms).search({9, 5, 7, 1, 1, 8, 9, 6, 1, 1, 1});
  EXPECT_THAT(search.find("star", 3), ElementsAre(2, 7, 1));  // by popularity
  EXPECT_THAT(search.find("STAR  wars", 1), ElementsAre(1));
  EXPECT_THAT(search.find("wars star", 10), ElementsAre(1));   // in any order
  EXPECT_THAT(search.find("wars", 10), ElementsAre(9, 1, 3));  // an id before titles
  EXPECT_THAT(search.find("matrix", 10), ElementsAre(6, 5));
  EXPECT_THAT(search.find("the matrix", 1), ElementsAre(6));
  EXPECT_THAT(search.find("rel", 10), ElementsAre(6));
  EXPECT_THAT(search.find("1", 2), ElementsAre(0, 7));  // the id itself, then its longer
}

TEST(ItemSearch, AccentsAndCapitalsMakeNoDifference) {
  const ItemSearch search = Shelf(kFilms).search(std::vector<Index>(kFilms.size(), 1));
  EXPECT_THAT(search.find("amelie", 1), ElementsAre(4));
  EXPECT_THAT(search.find("AMÉLIE", 1), ElementsAre(4));
  EXPECT_THAT(search.find("uber", 1), ElementsAre(8));
  EXPECT_THAT(search.find("TT 6", 1), ElementsAre(8));
  EXPECT_THAT(search.find("tt-6", 1), ElementsAre(8));
  EXPECT_THAT(search.find("trollslandan", 1), ElementsAre(10));
}

TEST(ItemSearch, SlipsOfTheKeyboard) {
  const ItemSearch search = Shelf(kFilms).search(std::vector<Index>(kFilms.size(), 1));
  EXPECT_THAT(search.find("matirx", 1), ElementsAre(5));
  EXPECT_THAT(search.find("mtrix reloded", 1), ElementsAre(6));
  EXPECT_THAT(search.find("polain", 1), ElementsAre(4));
  EXPECT_THAT(search.find("ship", 1), ElementsAre(7));  // inside a word
  EXPECT_THAT(search.find("qqqqqqq", 5), IsEmpty());
}

TEST(ItemSearch, WithoutTextTheMostPopular) {
  const ItemSearch search = Shelf(kFilms).search({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_THAT(search.find("", 3), ElementsAre(10, 9, 8));
  EXPECT_EQ(search.find("", 1000).size(), kFilms.size());
  EXPECT_THAT(search.find("star", 0), IsEmpty());
  EXPECT_THAT(search.find("...", 3), IsEmpty());
  EXPECT_THAT(search.find("\xC3", 3), IsEmpty());  // half a letter
}

TEST(ItemSearch, WithoutItemsNothing) {
  const ItemSearch search(IdTable(), ItemTable(), {});
  EXPECT_THAT(search.find("a", 3), IsEmpty());
  EXPECT_THAT(search.find("", 3), IsEmpty());
}

// Every item with a word that begins so is found, and nothing is found twice.
TEST(ItemSearch, BeginningsAreThoseOfAScan) {
  Random random(5, Purpose::Test);
  std::vector<std::pair<std::string, std::string>> entries;
  std::vector<Index> popularity;
  for (Index y = 0; y < 300; ++y) {
    std::string title;
    for (int c = 0; c < 12; ++c) title += "ab c"[random.below(4)];
    entries.emplace_back("i" + std::to_string(y), title);
    popularity.push_back(static_cast<Index>(random.below(20)));
  }
  const ItemSearch search = Shelf(entries).search(popularity);
  for (const std::string prefix : {"a", "ab", "abc", "cab", "bb", "caab", "i1", "i29"}) {
    std::vector<Index> expected;
    for (Index y = 0; y < 300; ++y) {
      const std::string text = fold_text(entries[at(y)].first + " " + entries[at(y)].second);
      const auto words = words_of(text);
      if (std::ranges::any_of(words, [&](auto word) { return word.starts_with(prefix); })) {
        expected.push_back(y);
      }
    }
    auto found = search.find(prefix, static_cast<Index>(expected.size()));
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << prefix;
  }
}

TEST(Edits, AreTheFewest) {
  EXPECT_EQ(edits_to_begin("abc", "abcdef", 2), 0);
  EXPECT_EQ(edits_to_begin("acb", "abcdef", 2), 1);
  EXPECT_EQ(edits_to_begin("abdcef", "abcdef", 2), 1);  // swapped; anything else takes two
  EXPECT_EQ(edits_to_begin("bcd", "abcdef", 2), 1);
  EXPECT_EQ(edits_to_begin("axcd", "abcdef", 2), 1);
  EXPECT_EQ(edits_to_begin("abxcd", "abcdef", 2), 1);
  EXPECT_EQ(edits_to_begin("abcd", "ab", 2), 2);
  EXPECT_EQ(edits_to_begin("xyz", "abcdef", 2), 3);
  EXPECT_EQ(edits_to_begin("", "abc", 2), 0);
  EXPECT_EQ(edits_to_begin(std::string(100, 'a'), std::string(200, 'a'), 2), 0);
}

TEST(FoldText, KeepsWordsOnly) {
  EXPECT_EQ(fold_text("  Ångström--Straße, ŒUVRE × 2 "), "angstrom strasse oeuvre 2");
  EXPECT_EQ(fold_text("日本 語"), "日本 語");
  EXPECT_EQ(fold_text("..."), "");
}

}  // namespace
}  // namespace sqmax
