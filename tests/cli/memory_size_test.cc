// Sizes of memory on the command line.
#include "cli/memory_size.h"

#include "sqmax/core/error.h"

#include "cli/arguments.h"
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

std::int64_t parsed_size(const std::string& text) {
  return cli::parse_memory_size("--memory", text);
}

TEST(MemorySize, IsBytesOrUnitsOf1024) {
  EXPECT_EQ(parsed_size("65536"), 65536);
  EXPECT_EQ(parsed_size("64K"), 65536);
  EXPECT_EQ(parsed_size("512M"), 512LL << 20);
  EXPECT_EQ(parsed_size("2G"), 2LL << 30);
  EXPECT_EQ(parsed_size("3T"), 3LL << 40);
}

TEST(MemorySize, RefusesEverythingElseByName) {
  for (const char* text :
       {"", "M", "1.5G", "2GB", "2 G", " 2G", "-1", "-2G", "+2G", "0x10000", "1e9", "all", "64k",
        "63K", "0", "65535", "9223372036854775807K", "8388608T", "99999999999999999999"}) {
    try {
      parsed_size(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::BadOption);
      EXPECT_THAT(error.what(), testing::HasSubstr("--memory ")) << text;
      EXPECT_THAT(error.what(), testing::HasSubstr(text)) << text;
    }
  }
}

TEST(MemorySize, IsAnOptionWithoutDefault) {
  for (const Words& words : {Words{}, Words{"--memory", "1M"}, Words{"--memory=1M"}}) {
    std::optional<std::int64_t> memory;
    cli::ArgumentParser parser("any", "");
    parser.memory_size("--memory", memory, "how much");
    parser.parse(words);
    EXPECT_EQ(memory, words.empty() ? std::nullopt : std::optional<std::int64_t>(1 << 20));
    EXPECT_THAT(parser.help(), testing::HasSubstr("--memory SIZE"));
  }
}

TEST(MemorySize, IsToldInFewDigits) {
  EXPECT_EQ(cli::memory_text(1000), "1000");
  EXPECT_EQ(cli::memory_text(65536), "64K");
  EXPECT_EQ(cli::memory_text(3LL << 29), "1.5G");
  EXPECT_EQ(cli::memory_text((1LL << 30) - 1), "1024M");
}

}  // namespace
}  // namespace sqmax::testing_cli
