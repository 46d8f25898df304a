// find_byte: what std::string_view::find says, at every place and beside every other byte.
#include "data/read/find_byte.h"

#include <string>

#include <gtest/gtest.h>

namespace sqmax {
namespace {

TEST(FindByte, IsFind) {
  for (const char byte : {',', '\n', '\0', '\x7f', '\x80', '\xff'}) {
    for (int other = 0; other < 256; ++other) {
      const std::string plain(21, static_cast<char>(other));
      for (std::size_t place = 0; place < plain.size(); ++place) {
        std::string text = plain;
        text[place] = byte;
        text.back() = byte;
        for (const std::size_t begin : {std::size_t{0}, std::size_t{5}, place, text.size()}) {
          ASSERT_EQ(find_byte(text, byte, begin), text.find(byte, begin)) << other << " " << place;
        }
      }
      EXPECT_EQ(find_byte(plain, byte), plain.find(byte)) << other;
    }
  }
  EXPECT_EQ(find_byte("", ','), std::string::npos);
}

}  // namespace
}  // namespace sqmax
