// MediaWiki dumps: three tables of a wiki of four pages, in any order and of either schema.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/compressed.h"
#include "tests/data/reading.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kPage =
    "-- MySQL dump\nDROP TABLE IF EXISTS `page`;\nCREATE TABLE `page` (\n"
    "  `page_id` int(8) unsigned NOT NULL AUTO_INCREMENT,\n  `page_namespace` int(11) NOT NULL,\n"
    "  `page_title` varbinary(255) NOT NULL,\n  `page_touched` binary(14) NOT NULL,\n"
    "  PRIMARY KEY (`page_id`)\n) ENGINE=InnoDB;\nLOCK TABLES `page` WRITE;\n"
    "INSERT INTO `page` VALUES "
    "(1,0,'Main_Page','2024'),(2,0,'O\\'Hara_(a,b)','2024'),(3,1,'Talk','2024');\n"
    "INSERT INTO `page` VALUES (4,0,'Zürich','2024'),(5,0,'It''s','2024');\nUNLOCK TABLES;\n";
const std::string kLinkTarget =
    "CREATE TABLE `linktarget` (\n  `lt_id` bigint(20),\n  `lt_namespace` int(11),\n"
    "  `lt_title` varbinary(255)\n);\n"
    "INSERT INTO `linktarget` VALUES (10,0,'O\\'Hara_(a,b)'),(11,0,'Zürich'),(12,1,'Talk'),\n"
    "(13,0,'Nowhere'),(14,0,'It\\'s');\n";
const std::string kPageLinks =
    "CREATE TABLE `pagelinks` (\n  `pl_from` int(8),\n  `pl_from_namespace` int(11),\n"
    "  `pl_target_id` bigint(20)\n);\n"
    "INSERT INTO `pagelinks` VALUES "
    "(1,0,10),(1,0,11),(2,0,14),(3,1,10),(4,0,12),(4,0,13),(9,0,10);\n";

ReadResult read_dumps(const std::vector<std::string>& dumps, std::size_t block = kBlockBytes) {
  PartSources sources;
  for (const std::string& dump : dumps) {
    sources.sources.push_back({"dump" + std::to_string(sources.sources.size()), dump});
  }
  return read_inputs({sources}, {}, {}, block);
}

std::string error_of_dumps(const std::vector<std::string>& dumps) {
  try {
    read_dumps(dumps);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Offset dropped(const ReadReport& report, const std::string& words) {
  for (const DroppedRows& rows : report.dropped) {
    if (rows.reason.find(words) != std::string::npos) return rows.count;
  }
  return 0;
}

TEST(MediaWiki, LinksAreJoinedInAnyOrder) {
  std::vector<std::string> dumps = {kPage, gzip(kLinkTarget), kPageLinks};
  std::sort(dumps.begin(), dumps.end());
  do {
    for (const std::size_t block : {1U, 100U, 100000U}) {
      const auto result = read_dumps(dumps, block);
      EXPECT_THAT(rows_of(result.interactions),
                  ElementsAre("Main_Page O'Hara_(a,b)", "Main_Page Zürich", "O'Hara_(a,b) It's"));
      EXPECT_EQ(result.report.format, "mediawiki");
      EXPECT_EQ(dropped(result.report, "source page is outside"), 1);
      EXPECT_EQ(dropped(result.report, "source page does not"), 1);
      EXPECT_EQ(dropped(result.report, "target is outside"), 1);
      EXPECT_EQ(dropped(result.report, "target page does not"), 1);
    }
  } while (std::next_permutation(dumps.begin(), dumps.end()));
}

TEST(MediaWiki, TheOlderSchemaHasTitles) {
  const std::string links =
      "CREATE TABLE `pagelinks` (\n  `pl_from` int(8),\n  `pl_namespace` int(11),\n"
      "  `pl_title` varbinary(255),\n  `pl_from_namespace` int(11)\n);\n"
      "INSERT INTO `pagelinks` VALUES (1,0,'O\\'Hara_(a,b)',0),(1,1,'Talk',0),(4,0,'Nowhere',0);\n";
  const auto result = read_dumps({links, kPage});
  EXPECT_THAT(rows_of(result.interactions), ElementsAre("Main_Page O'Hara_(a,b)"));
  EXPECT_EQ(dropped(result.report, "target is outside"), 1);
  EXPECT_EQ(dropped(result.report, "target page does not"), 1);
}

TEST(MediaWiki, DamageAndMissingTablesAreNamed) {
  EXPECT_THAT(error_of_dumps({kPage, kPageLinks}), HasSubstr("linktarget is missing"));
  EXPECT_THAT(error_of_dumps({kPageLinks}), HasSubstr("page is missing"));
  EXPECT_THAT(error_of_dumps({kPage, kLinkTarget}), HasSubstr("pagelinks is missing"));
  EXPECT_THAT(error_of_dumps({kPage, "-- dump\nCREATE TABLE `user` (\n  `user_id` int\n);\n"}),
              HasSubstr("dump of 'user'"));
  EXPECT_THAT(error_of_dumps({kPage, kLinkTarget, kPageLinks.substr(0, kPageLinks.size() - 4)}),
              HasSubstr("dump2:6: a row of values does not end"));
  EXPECT_THAT(error_of_dumps({kPage, kLinkTarget, kPageLinks + "(x,0,1);\n"}),
              HasSubstr("dump2:7: a link lacks the number"));
}

}  // namespace
}  // namespace sqmax
