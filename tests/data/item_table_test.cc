// ItemTable: from text, and through files.
#include "sqmax/data/item_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/data/dataset.h"

#include "tests/data/compressed.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::ElementsAre;

class ItemTableTest : public testing::Test {
 protected:
  ItemTable read(const std::string& text) {
    return read_item_table(folder_.file("items.tsv", text).string(), ids_);
  }

  static IdTable some_ids() {
    IdMap map;
    for (const char* id : {"a", "b", "id", "c"}) map.insert(id);
    return map.take_table();
  }

  TemporaryFolder folder_;
  IdTable ids_ = some_ids();
};

TEST_F(ItemTableTest, WithoutAHeaderTheSecondColumnIsTheTitle) {
  const ItemTable table = read("b\tBee\thttp://b\r\n\nz\tnobody's\na\tAn A\nid\tEye\n");
  EXPECT_THAT(table.columns, ElementsAre("title", "column3"));
  EXPECT_EQ(table.value("title", 0), "An A");
  EXPECT_EQ(table.value("title", 1), "Bee");
  EXPECT_EQ(table.value("title", 2), "Eye");  // an item's id is no header
  EXPECT_EQ(table.value("title", 3), "");
  EXPECT_EQ(table.value("column3", 1), "http://b");
  EXPECT_EQ(table.value("column3", 0), "");
  EXPECT_EQ(table.value("link", 1), "");
}

TEST_F(ItemTableTest, AHeaderNamesTheColumns) {
  const ItemTable table = read("\xEF\xBB\xBFItem_ID\tname\tlink\tname\nc\tSea\thttp://c\t7\n");
  EXPECT_THAT(table.columns, ElementsAre("name", "link", "column4"));
  EXPECT_EQ(table.value("name", 3), "Sea");
  EXPECT_EQ(table.value("column4", 3), "7");
}

TEST_F(ItemTableTest, NoTwoColumnsHaveOneName) {
  const ItemTable table = read("item_id\tcolumn3\t\nc\tSea\t7\n");
  EXPECT_THAT(table.columns, ElementsAre("column3", "column3_"));
  EXPECT_EQ(table.value("column3_", 3), "7");
}

TEST_F(ItemTableTest, MayBeCompressed) {
  for (const std::string& text : {gzip("b\tBee\n"), zstd("b\tBee\n")}) {
    EXPECT_EQ(read(text).value("title", 1), "Bee");
  }
}

TEST_F(ItemTableTest, OtherBytesAreLatin1) {
  EXPECT_EQ(read("a\tAm\xE9lie\n").value("title", 0), "Amélie");
  EXPECT_EQ(read("a\tAmélie\n").value("title", 0), "Amélie");
}

TEST_F(ItemTableTest, ATableOfOtherItemsIsAMistake) {
  EXPECT_THROW(read("x\tSomething\n"), Error);
  EXPECT_THROW(read(""), Error);
  EXPECT_THROW(read("a\nb\n"), Error);
  EXPECT_THROW(read_item_table("no/such/file.tsv", ids_), Error);
}

TEST_F(ItemTableTest, ADatasetKeepsIt) {
  Dataset dataset{.users = ids_,
                  .items = ids_,
                  .train = empty_csr(4, 4),
                  .valid = empty_csr(4, 4),
                  .test = empty_csr(4, 4),
                  .history = empty_csr(4, 4)};
  const auto path = folder_.path() / "data.safetensors";
  save_dataset(dataset, path);
  EXPECT_TRUE(load_dataset(path).about_items.empty());
  const std::string before = fingerprint(dataset);
  dataset.about_items = read("a\tAn A\thttp://a\nc\tSea\n");
  save_dataset(dataset, path);
  const Dataset loaded = load_dataset(path);
  EXPECT_EQ(fingerprint(loaded), before);
  EXPECT_EQ(loaded.about_items.columns, dataset.about_items.columns);
  for (Index y = 0; y < 4; ++y) {
    for (const std::string& column : dataset.about_items.columns) {
      EXPECT_EQ(loaded.about_items.value(column, y), dataset.about_items.value(column, y));
    }
  }
}

}  // namespace
}  // namespace sqmax
