// Small models that are served: neither they nor what is asked of them takes much memory.
#include <limits>

#include <gtest/gtest.h>

#include "sqmax/model/model.h"
#include "sqmax/serve/engine.h"

#include "tests/hostile/memory_meter.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trained_model.h"

namespace sqmax {
namespace {

constexpr Index kNoEnd = std::numeric_limits<Index>::max();
constexpr std::size_t kLittle = 16 * kMegabyte;

class TinyModel : public testing::TestWithParam<IndexKind> {
 protected:
  // As a server has it: from a file.
  Model stored(const Model& model) const {
    save_model(model, folder_ / "model");
    return load_model(folder_ / "model");
  }

  TemporaryFolder folder_;
};

TEST_P(TinyModel, TakesLittleToServe) {
  for (const char* loss : {"rgp", "wrmf", "cml"}) {
    for (const Index rank : {1, 5}) {
      const Model model = stored(trained_model(loss, 12, 10, rank));
      const std::size_t taken = memory_of([&] {
        const Engine engine(model, {.index = GetParam()});
        engine.recommend({.user = 0});
        engine.recommend({.history = {1, 3}});
        engine.map();
      });
      EXPECT_LT(taken, kLittle) << loss << " " << rank;
    }
  }
}

TEST_P(TinyModel, GivesListsAsLongAsItIsNotAsLongAsAsked) {
  const Model model = stored(trained_model("rgp", 12, 10, 4));
  const Engine engine(model, {.index = GetParam()});
  const std::size_t taken = memory_of([&] {
    EXPECT_LE(engine.recommend({.user = 0, .k = kNoEnd}).size(), 10U);
    EXPECT_LE(engine.recommend({.user = 0, .k = kNoEnd, .allow_seen = true}).size(), 10U);
    EXPECT_LE(engine.recommend({.history = {2}, .k = kNoEnd}).size(), 10U);
    EXPECT_LE(engine.similar(0, kNoEnd).size(), 10U);
  });
  EXPECT_LT(taken, kLittle);
}

// One row, as long as a file of a kilobyte or two can have it.
TEST_P(TinyModel, OfOneLongRowTakesLittleToServe) {
  Model model = trained_model("wrmf", 2, 2, 1);
  constexpr Index rank = 100;
  model.P = {2, rank, std::vector<float>(2 * rank, 1.0F)};
  model.Q = {2, rank, std::vector<float>(2 * rank, 1.0F)};
  const Model read = stored(model);
  const std::size_t taken = memory_of([&] {
    const Engine engine(read, {.index = GetParam()});
    engine.recommend({.user = 0, .allow_seen = true});
    engine.similar(1, 1);
  });
  EXPECT_LT(taken, kLittle);
}

INSTANTIATE_TEST_SUITE_P(ByIndex, TinyModel, testing::Values(IndexKind::Exact, IndexKind::Hnsw),
                         [](const auto& kind) {
                           return kind.param == IndexKind::Exact ? "Exact" : "Hnsw";
                         });

}  // namespace
}  // namespace sqmax
