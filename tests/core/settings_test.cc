// Settings: values are checked against what their options allow, and sentences name the option.
#include "sqmax/core/settings.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<OptionSpec> kSpecs = {
    {.name = "lambda", .help = "", .fallback = 0.5, .low = 0.0, .high = 10.0},
    {.name = "ridge",
     .help = "",
     .fallback = std::string("plain"),
     .choices = {"plain", "weighted"}}};

template <class Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::BadOption);
    return error.what();
  }
  return "";
}

std::string refusal(const SettingValue& value) {
  return refusal_of([&] { checked(kSpecs[0], value); });
}

TEST(Settings, NumbersAndTheirTextsAreTheSame) {
  EXPECT_EQ(checked(kSpecs[0], 2.5), SettingValue(2.5));
  EXPECT_EQ(checked(kSpecs[0], std::string("2.5")), SettingValue(2.5));
  EXPECT_EQ(checked(kSpecs[0], std::string("1e-3")), SettingValue(1e-3));
  EXPECT_EQ(checked(kSpecs[0], 0.0), SettingValue(0.0));
  EXPECT_EQ(checked(kSpecs[0], 10.0), SettingValue(10.0));
}

TEST(Settings, EverythingOutsideTheRangeIsRefusedByName) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {-1e-9, 10.001, infinity, -infinity, std::nan("")}) {
    EXPECT_THAT(refusal(value), HasSubstr("--lambda")) << value;
  }
  for (const char* word : {"", "abc", "1x", " 1", "1 ", "nan", "inf", "-1", "0,5", "0x1"}) {
    EXPECT_THAT(refusal(std::string(word)), HasSubstr("--lambda")) << word;
  }
}

TEST(Settings, WordsAreOneOfTheChoices) {
  EXPECT_EQ(checked(kSpecs[1], std::string("weighted")), SettingValue(std::string("weighted")));
  for (const SettingValue& value :
       {SettingValue(std::string("")), SettingValue(std::string("Plain")), SettingValue(1.0)}) {
    EXPECT_THAT(refusal_of([&] { checked(kSpecs[1], value); }),
                AllOf(HasSubstr("--ridge"), HasSubstr("plain, weighted")));
  }
}

TEST(Settings, DefaultsCompleteWhatIsGiven) {
  EXPECT_EQ(completed("X", kSpecs, {}),
            (Settings{{"lambda", 0.5}, {"ridge", std::string("plain")}}));
  EXPECT_EQ(completed("X", kSpecs, {{"lambda", std::string("3")}}),
            (Settings{{"lambda", 3.0}, {"ridge", std::string("plain")}}));
}

TEST(Settings, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THAT(refusal_of([] {
                completed("The loss x", kSpecs, {{"alpha", 1.0}});
              }),
              AllOf(HasSubstr("The loss x"), HasSubstr("--alpha"), HasSubstr("--lambda, --ridge")));
  EXPECT_THAT(refusal_of([] { completed("The loss x", {}, {{"alpha", 1.0}}); }), HasSubstr("none"));
}

TEST(Settings, TextsAreWhatAPersonTypes) {
  EXPECT_EQ(to_text(0.5), "0.5");
  EXPECT_EQ(to_text(1e9), "1e+09");
  EXPECT_EQ(to_text(std::string("plain")), "plain");
}

}  // namespace
}  // namespace sqmax
