// Checkpoints made to deceive: sound files whose numbers are not of any fit.
#include <bit>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/tensor_file.h"
#include "sqmax/train/checkpoint.h"

#include "tests/support/error_of.h"
#include "tests/support/split_data.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Copies every tensor of a state but one.
struct ForgedState {
  std::string name;
  std::vector<float> floats = {};
  std::vector<std::int64_t> words = {};
};

std::int64_t bits(double number) { return std::bit_cast<std::int64_t>(number); }

void forge(const std::filesystem::path& path, const ForgedState& lie) {
  const TensorFile file = TensorFile::open(path, "state");
  TensorFileWriter writer("state");
  writer.set("about", file.metadata("about"));
  for (const auto& [name, info] : file.tensors()) {
    if (name == lie.name) continue;
    if (info.dtype == Dtype::F32) {
      writer.add<float>(name, info.shape, file.array<float>(name).span());
    } else {
      writer.add<std::int64_t>(name, info.shape, file.array<std::int64_t>(name).span());
    }
  }
  if (file.tensors().at(lie.name).dtype == Dtype::F32) {
    writer.add<float>(lie.name, {static_cast<std::int64_t>(lie.floats.size())}, lie.floats);
  } else {
    writer.add<std::int64_t>(lie.name, {static_cast<std::int64_t>(lie.words.size())}, lie.words);
  }
  writer.write(path);
}

class HostileState : public testing::Test {
 protected:
  FitOptions options(const std::string& loss, const std::string& solver) const {
    FitOptions options{.loss = loss, .solver = solver};
    options.solve = {.rank = 3, .iterations = 3, .tolerance = 0.0};
    options.early_stop = EarlyStop{.metric = parse_metrics("ndcg@5").front(), .patience = 3};
    return options;
  }

  // What a fit that goes on from a state with this lie in it ends with.
  std::string error_with(const std::string& loss, const std::string& solver,
                         const ForgedState& lie) const {
    const TemporaryFolder folder;
    Checkpoint checkpoint({.folder = folder.path() / "kept", .every = {.seconds = 0.0}});
    FitOptions fit = options(loss, solver);
    const auto keeper = checkpoint.keeper(1);
    fit.solve.keeper = keeper.get();
    Fitter(data_).fit(fit);
    forge(folder.path() / "kept" / "fit-1.safetensors", lie);
    fit.solve.iterations = 5;  // it goes on
    return error_of([&] { Fitter(data_).fit(fit); });
  }

  Dataset data_ = split_data(3);
};

TEST_F(HostileState, CountsThatAreNoneAreRefused) {
  for (const double count : {-1.0, 0.5, 1e300, -1e300, std::nan(""), double{1ULL << 40U}}) {
    EXPECT_THAT(error_with("wrmf", "als", {"numbers", {}, {bits(count), bits(0.5)}}),
                AllOf(HasSubstr("fit-1.safetensors"), HasSubstr("count")))
        << count;
    EXPECT_THAT(
        error_with("wrmf", "newton-cg", {"numbers", {}, {bits(count), bits(0.5), bits(0.0)}}),
        HasSubstr("count"));
    EXPECT_THAT(error_with("bpr", "adam",
                           {"numbers",
                            {},
                            {bits(1.0), bits(0.5), bits(count > 0.0 && count < 1e20 ? -1.0 : count),
                             bits(1.0), bits(1.0), bits(1.0)}}),
                HasSubstr("count"));
    EXPECT_THAT(error_with("wrmf", "als",
                           {"best_sweep", {}, {bits(0.1), bits(1.0), bits(0.0), bits(count)}}),
                HasSubstr("fit-1.safetensors"));
  }
}

TEST_F(HostileState, ABestSweepOfOtherSizesIsRefused) {
  const auto lie = [&](const std::string& name, std::size_t size) {
    return error_with("wrmf", "als", {"best_sweep." + name, std::vector<float>(size)});
  };
  for (const char* name : {"P", "Q", "user_extra", "item_extra"}) {
    EXPECT_THAT(lie(name, 2), AllOf(HasSubstr("fit-1"), HasSubstr("not of this data"))) << name;
  }
  EXPECT_THAT(
      error_with("wrmf", "als", {"best_sweep", {}, {bits(0.1), bits(1.0), bits(0.0), bits(2.0)}}),
      HasSubstr("not of this data"));
}

TEST_F(HostileState, VectorsThatAreNotFiniteAreRefused) {
  const auto size = at(data_.user_count()) * 3;
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> P(size, 0.5f);
    P.back() = value;
    EXPECT_THAT(error_with("wrmf", "als", {"P", P}), HasSubstr("not finite"));
  }
}

// They choose a number of a table: none may be outside of it.
TEST_F(HostileState, StepsOfAdamThatWereNeverMadeDoNoHarm) {
  for (const std::int64_t count :
       {std::int64_t{-5}, std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max()}) {
    const std::vector<std::int64_t> counts(at(data_.user_count()), count);
    EXPECT_EQ(error_with("bpr", "adam", {"users.rule.counts", {}, counts}), "");
    EXPECT_EQ(error_with("bpr", "adam", {"users.moved", {}, counts}), "");
  }
}

}  // namespace
}  // namespace sqmax
