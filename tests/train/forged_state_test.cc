// States that say of themselves what no fit says: the text beside the numbers, and where these are.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/train/checkpoint.h"

#include "tests/support/error_of.h"
#include "tests/support/forged_file.h"
#include "tests/support/temporary_folder.h"
#include "train/state_file.h"

namespace sqmax::forged_state_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ForgedState : public testing::Test {
 protected:
  std::string error_of_restore() {
    return error_of([&] { checkpoint_.keeper(1)->restore(show_); });
  }

  TemporaryFolder folder_;
  Checkpoint checkpoint_{{.folder = folder_.path() / "kept"}};
  std::filesystem::path path_ = folder_.path() / "kept" / "fit-1.safetensors";
  std::vector<float> values_ = {1.0f, 2.0f};
  ShowState show_ = [this](StateVisitor& visitor) { visitor.visit("values", std::span(values_)); };
};

// What is deep is printed or compared by functions that call themselves.
TEST_F(ForgedState, ATextThatGoesTooDeepOrIsNoCurveIsRefused) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  for (const std::string& about :
       {deep, std::string("{}"), std::string("null"), std::string("[")}) {
    write_state(path_, about, show_);
    EXPECT_THAT(error_of_restore(), AllOf(HasSubstr("fit-1"), HasSubstr("damaged"))) << about;
  }
  write_state(path_, "[]", show_);
  EXPECT_EQ(error_of_restore(), "");
}

TEST_F(ForgedState, NumbersThatAreNotAlignedAreRefused) {
  const auto write = [&](std::size_t spaces, std::size_t alignment) {
    std::string header =
        forged_header("state", forged_tensor("values", "F32", "[2]", "[0,8]"), R"(,"about":"[]")");
    header.append(8 - header.size() % 8 + spaces, ' ');
    std::ofstream(path_, std::ios::binary) << forged_file(header, std::string(8, '\0'), alignment);
  };
  write(0, 8);
  EXPECT_EQ(error_of_restore(), "");
  for (const std::size_t spaces : {1, 2, 3}) {
    write(spaces, 1);
    EXPECT_THAT(error_of_restore(), AllOf(HasSubstr("fit-1"), HasSubstr("multiple of eight")))
        << spaces;
  }
}

}  // namespace
}  // namespace sqmax::forged_state_test
