// What every command promises: help, one sentence for what it does not understand, exit codes,
// one JSON document, silence.
#include "tests/cli/program.h"

#include <cstdlib>
#include <stdexcept>
#include <streambuf>

#include "core/file_calls.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const cli::Command& command : cli::commands()) names.push_back(command.name);
  return names;
}

// All but serve, which goes on until it is told to end: tests/e2e.
std::vector<std::string> tasks() {
  std::vector<std::string> names = command_names();
  std::erase(names, "serve");
  return names;
}

TEST(Program, SaysItsVersion) {
  const Outcome outcome = call({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("sqmax [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(outcome.err, "");
}

TEST(Program, ListsEveryCommand) {
  for (const char* word : {"--help", "-h", "help"}) {
    const Outcome outcome = call({word});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    for (const cli::Command& command : cli::commands()) {
      EXPECT_THAT(outcome.out, AllOf(HasSubstr("  " + command.name), HasSubstr(command.summary)));
    }
  }
}

TEST(Program, WithoutACommandItExplainsItselfAndFails) {
  const Outcome outcome = call({});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("Usage: sqmax COMMAND"));
}

TEST_F(ProgramTest, ABugOfOursIsCalledSoAndEndsWithTwo) {
  file_calls().rename = [](const char*, const char*) -> int { throw std::logic_error("at home"); };
  const Outcome outcome = run("prepare %/small.tsv -o %/data.safetensors --quiet");
  file_calls() = system_file_calls();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "sqmax: This is a bug in sqmax: at home\n");
}

TEST(Program, NamesAnUnknownCommand) {
  expect_sentence(call({"trian"}), "'trian'");
  expect_sentence(call({""}), "''");
  expect_sentence(call({"--verbose"}), "'--verbose'");
}

TEST(Program, AnUnknownInstructionSetIsNamed) {
  ::setenv("SQMAX_ISA", "abacus", 1);
  const Outcome outcome = call({"losses"});
  ::unsetenv("SQMAX_ISA");
  expect_sentence(outcome, "'abacus'");
}

class EveryCommand : public ProgramTest, public testing::WithParamInterface<std::string> {
 protected:
  // A complete and sound line for each command.
  std::string sound_line() const {
    static const std::map<std::string, std::string> lines = {
        {"compare", "compare %/data.safetensors --rank 3 --budget 1trials"},
        {"export", "export %/model.safetensors --to npy -o %/vectors"},
        {"evaluate", "evaluate %/model.safetensors %/data.safetensors --resamples 10"},
        {"inspect", "inspect %/model.safetensors"},
        {"losses", "losses"},
        {"metrics", "metrics"},
        {"prepare", "prepare %/small.tsv -o %/again.safetensors"},
        {"recommend", "recommend %/model.safetensors --user u1"},
        {"similar", "similar %/model.safetensors --item i1"},
        {"synth", "synth --users 9 --items 8 --interactions 30 -o %/synth.tsv"},
        {"train", "train %/data.safetensors -o %/again.safetensors --rank 3 --no-tune"},
        {"tune", "tune %/data.safetensors --rank 3 --budget 2trials"}};
    const auto found = lines.find(GetParam());
    return found == lines.end() ? "" : found->second;
  }
};

TEST_P(EveryCommand, ExplainsItsOptions) {
  for (const char* word : {"--help", "-h"}) {
    const Outcome outcome = call({GetParam(), word});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("sqmax " + GetParam()), HasSubstr("--json"),
                                   HasSubstr("--quiet"), HasSubstr("--threads")));
  }
}

TEST_P(EveryCommand, RefusesAnOptionItDoesNotKnow) {
  expect_sentence(call({GetParam(), "--nonsense", "a", "b"}), "--nonsense");
  expect_sentence(call({GetParam(), "a", "b", "--jsno"}), "--jsno");
}

TEST_P(EveryCommand, SpeaksInItsOwnSentences) {
  const std::string explained = " ('sqmax " + GetParam() + " --help' explains the options.)\n";
  const auto sentence = [&](const Words& words) {
    Words line = {GetParam()};
    line.insert(line.end(), words.begin(), words.end());
    return call(line).err;
  };
  EXPECT_EQ(sentence({"--nonsense=3"}), "sqmax: There is no option --nonsense." + explained);
  EXPECT_EQ(sentence({"a", "b", "-z"}), "sqmax: There is no option -z." + explained);
  EXPECT_EQ(sentence({"--threads"}), "sqmax: --threads wants a value." + explained);
  EXPECT_EQ(sentence({"a", "b", "--threads", "1", "--threads", "2"}),
            "sqmax: --threads is given more than once." + explained);
  EXPECT_EQ(sentence({"--quiet=maybe"}),
            "sqmax: --quiet is a switch and takes no value." + explained);
  EXPECT_EQ(sentence({"--threads", "few"}),
            "sqmax: --threads must be a whole number between 0 and 1024; 'few' is not.\n");
}

TEST(Program, SaysWhichArgumentIsMissingOrTooMany) {
  EXPECT_THAT(call({"train", "-o", "x"}).err,
              StartsWith("sqmax: train wants DATA: a prepared dataset, or a raw file. ("));
  EXPECT_THAT(call({"evaluate", "x"}).err, StartsWith("sqmax: evaluate wants DATA: "));
  EXPECT_THAT(call({"inspect", "x", "y", "z"}).err,
              StartsWith("sqmax: 'y' is one argument too many for inspect. ("));
  EXPECT_EQ(call({"evaluate", "x", "y", "--part", "train"}).err,
            "sqmax: --part must be one of valid, test; 'train' is not.\n");
  EXPECT_EQ(call({"prepare", "x", "-o", "y", "--min-rating", "good"}).err,
            "sqmax: --min-rating must be a number; 'good' is not.\n");
}

TEST_P(EveryCommand, RefusesImpossibleThreads) {
  for (const char* count : {"-1", "1000000", "two", "1.5", ""}) {
    expect_sentence(call({GetParam(), "a", "b", "--threads", count}), "--threads");
  }
}

class EveryTask : public EveryCommand {};

TEST_P(EveryTask, PrintsOneJsonDocumentAndNothingElse) {
  ASSERT_NE(sound_line(), "") << "give " << GetParam() << " a line in this test";
  train();
  EXPECT_FALSE(json_of(sound_line()).is_null());
}

TEST_P(EveryTask, IsSilentWhenQuietAndSpeaksToPeopleOtherwise) {
  train();
  const std::string out = output_of(sound_line());
  EXPECT_FALSE(Json::accept(out)) << "text for a person was JSON";
  EXPECT_EQ(run(sound_line()).code, 0);
}

// A pipe that nobody reads, or a full disk behind standard output.
class BrokenStream : public std::streambuf {
 protected:
  int_type overflow(int_type) override { return traits_type::eof(); }
};

TEST_P(EveryTask, SaysSoWhenStandardOutputIsFull) {
  train();
  BrokenStream broken;
  std::ostream out(&broken);
  std::ostringstream err;
  const Words words = words_of(sound_line() + " --quiet --json", folder_.path());
  const int code = cli::run_program(words, {.out = out, .err = err, .err_is_terminal = false});
  expect_sentence({code, "", err.str()}, "standard output");
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryCommand, testing::ValuesIn(command_names()),
                         [](const auto& each) { return each.param; });
INSTANTIATE_TEST_SUITE_P(Registry, EveryTask, testing::ValuesIn(tasks()),
                         [](const auto& each) { return each.param; });

TEST_F(ProgramTest, ABarIsDrawnOnATerminalOnly) {
  std::ostringstream out;
  std::ostringstream err;
  const Words words = words_of("tune %/small.tsv --rank 3 --budget 2trials", folder_.path());
  ASSERT_EQ(cli::run_program(words, {.out = out, .err = err, .err_is_terminal = true}), 0);
  EXPECT_THAT(err.str(), AllOf(HasSubstr("tuning rgp"), HasSubstr("█"), HasSubstr("100 %")));
  EXPECT_THAT(err.str(), testing::EndsWith("\n"));
  const Outcome plain = call(words);
  EXPECT_THAT(plain.err, AllOf(HasSubstr("tuning rgp …\n"), testing::Not(HasSubstr("█"))));
  EXPECT_EQ(lines_of(plain.out).size(), lines_of(out.str()).size());
}

// By the pace of its trials it would go on for hours.
TEST_F(ProgramTest, NoMoreTimeIsLeftThanTheBudgetHas) {
  std::ostringstream out;
  std::ostringstream err;
  const Words words =
      words_of("tune %/small.tsv --rank 3 --budget 1000000trials,3s", folder_.path());
  ASSERT_EQ(cli::run_program(words, {.out = out, .err = err, .err_is_terminal = true}), 0);
  EXPECT_THAT(err.str(), testing::ContainsRegex("about [1-3] s left"));
  EXPECT_THAT(err.str(), testing::Not(testing::AnyOf(HasSubstr("min left"), HasSubstr("h left"))));
}

}  // namespace
}  // namespace sqmax::testing_cli
