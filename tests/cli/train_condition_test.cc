// What `train` tells of condition numbers: a warning where single precision has a digit left.
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConditionTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    prepare();
  }
  static std::string train(const std::string& options) {
    return "train %/data.safetensors -o %/model.safetensors --rank 4 --no-tune " + options;
  }
};

TEST_F(ConditionTest, OfUsualOptionsIsANumberAndNoWarning) {
  for (const std::string loss : {"rgp", "wrmf", "rg2"}) {
    const std::string options = train("--loss " + loss + " --lambda 1 ");
    const Json condition = json_of(options)["condition"];
    ASSERT_TRUE(condition.is_number()) << loss;
    EXPECT_GE(condition.get<double>(), 1.0) << loss;
    EXPECT_LT(condition.get<double>(), 1e6) << loss;
    EXPECT_THAT(output_of(options), Not(HasSubstr("makes vectors more certain"))) << loss;
  }
}

// Nothing but observed pairs makes these systems what they are.
TEST_F(ConditionTest, OfHugeConfidenceIsWarnedOf) {
  const std::string options = train("--loss wrmf --alpha 1e9 --lambda 1 ");
  EXPECT_GT(json_of(options)["condition"].get<double>(), 1e6);
  const std::string text = output_of(options);
  EXPECT_THAT(text, testing::ContainsRegex("Condition numbers of users' or items' systems reach up "
                                           "to [0-9]e\\+[0-9]+: a larger --lambda or a lower "
                                           "--rank makes vectors more certain\\."));
}

// A rank that the data do not fill, without a ridge; JSON has no infinity.
TEST_F(ConditionTest, OfASingularSystemIsWarnedOf) {
  std::ofstream(folder_ / "twins.tsv") << "a\tx\na\ty\nb\tx\nb\ty\nc\tx\nc\ty\n";
  const std::string options =
      "train %/twins.tsv -o %/model.safetensors --rank 2 --no-tune --loss rg2 --lambda 0 "
      "--split none ";
  EXPECT_TRUE(json_of(options)["condition"].is_null());
  EXPECT_THAT(output_of(options),
              HasSubstr("Systems of users or items may be singular: a larger --lambda or a lower "
                        "--rank makes vectors more certain."));
}

TEST_F(ConditionTest, OfAScoreLossThereIsNone) {
  const std::string options = train("--loss bpr --iterations 1 ");
  EXPECT_TRUE(json_of(options)["condition"].is_null());
  EXPECT_THAT(output_of(options), Not(HasSubstr("makes vectors more certain")));
}

}  // namespace
}  // namespace sqmax::testing_cli
