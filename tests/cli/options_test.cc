// Options of losses and solvers: help that is true for every loss, and a word on what has no
// effect.
#include "sqmax/loss/loss_spec.h"

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OptionsTest : public ProgramTest {
 protected:
  /// The lines of `train --help` about one option, its choices included.
  static std::string help_of(const std::string& option) {
    std::string text;
    bool is_inside = false;
    for (const std::string& line : lines_of(call({"train", "--help"}).out)) {
      if (line.starts_with("  -")) is_inside = line.starts_with("  --" + option + " ");
      if (is_inside) text += line + "\n";
    }
    return text;
  }

  std::string notes_of(const std::string& options) const {
    const Outcome outcome = run("train %/data.safetensors -o %/out --rank 3 " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  }
};

TEST_F(OptionsTest, HelpHasTheChoicesAndWordsOfEveryLoss) {
  for (const LossSpec& loss : losses()) {
    for (const OptionSpec& option : loss.options) {
      const std::string help = help_of(option.name);
      EXPECT_THAT(help, HasSubstr(loss.name)) << option.name;
      for (const std::string& choice : option.choices) EXPECT_THAT(help, HasSubstr(choice));
      EXPECT_THAT(help, HasSubstr(option.help.substr(0, option.help.find("; ")))) << loss.name;
      EXPECT_THAT(help, HasSubstr(option.help.substr(option.help.rfind("; ") + 1))) << loss.name;
    }
  }
}

TEST_F(OptionsTest, HelpSaysWhichLossMeansWhat) {
  EXPECT_THAT(help_of("alpha"), AllOf(HasSubstr("observed ones weigh 1 more (ials)"),
                                      HasSubstr("confidence in an observed pair (rgp, wrmf)")));
  EXPECT_THAT(help_of("ridge"), AllOf(HasSubstr("--ridge weighted|plain|product|frequency"),
                                      HasSubstr("plain: λ on every row (rg2, rg2-ssm, rgp, "),
                                      HasSubstr("every score (rg2)")));
  EXPECT_THAT(help_of("loss"), HasSubstr("'sqmax losses NAME'"));
}

TEST_F(OptionsTest, LossesExplainsTheNamedOnes) {
  const Json all = json_of("losses")["losses"];
  for (const Json& loss : all) {
    const Json alone = json_of("losses " + loss["name"].get<std::string>())["losses"];
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_EQ(alone[0], loss);
  }
  EXPECT_THAT(output_of("losses wrmf"), AllOf(HasSubstr("wrmf: "), HasSubstr("--alpha"),
                                              Not(HasSubstr("ials: ")), Not(HasSubstr("--nu"))));
  const Json two = json_of("losses wrmf ials")["losses"];
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0]["name"], "wrmf");
  expect_sentence(call({"losses", "nothing"}), "'nothing'");
}

TEST_F(OptionsTest, OptionsWithoutEffectAreMentioned) {
  prepare();
  const std::string exact = "--no-tune --solver exact --alpha 0 --ridge weighted ";
  for (const char* option : {"--iterations", "--patience", "--cg-steps", "--block", "--nu"}) {
    const std::string note = "note: " + std::string(option) + " has no effect: ";
    EXPECT_THAT(notes_of(exact + option + " 1"), HasSubstr(note));
    output_of("train %/data.safetensors -o %/out --rank 3 " + exact + option + " 1");
  }
  EXPECT_THAT(notes_of("--no-tune --links 0 --link-ridge 1"), HasSubstr("--link-ridge has"));
  EXPECT_THAT(notes_of("--no-tune --loss popularity --iterations 3"),
              HasSubstr("--iterations has"));
  EXPECT_THAT(run("tune %/data.safetensors --rank 3 --budget 2trials --ridge plain --nu 0.5").err,
              HasSubstr("note: --nu has no effect: the ridge was not frequency."));
}

TEST_F(OptionsTest, OptionsWithEffectAreNot) {
  prepare();
  for (const char* options :
       {"--no-tune", "--no-tune --solver als --iterations 3 --patience 1",
        "--no-tune --solver spectral --alpha 0 --iterations 3",
        "--no-tune --solver cg --cg-steps 2", "--no-tune --solver subspace --block 2",
        "--no-tune --ridge frequency --nu 0.5", "--no-tune --loss ials --nu 0.5 --iterations 2"}) {
    EXPECT_THAT(notes_of(options), Not(HasSubstr("no effect"))) << options;
  }
}

// One trial that uses an option is enough: the search has looked at what it does.
TEST_F(OptionsTest, ASearchThatUsesAnOptionSometimesUsesIt) {
  prepare();
  const std::string search = "tune %/data.safetensors --rank 3 --budget 12trials --nu 0.5 --json";
  const Outcome outcome = run(search);
  bool is_used = false;
  const Json trials = Json::parse(outcome.out)["results"];
  for (const Json& trial : trials) {
    is_used = is_used || trial["options"]["ridge"] == "frequency";
  }
  ASSERT_TRUE(is_used);
  EXPECT_THAT(outcome.err, Not(HasSubstr("no effect")));
}

}  // namespace
}  // namespace sqmax::testing_cli
