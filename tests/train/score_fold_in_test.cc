// New users under score losses: minima of the loss they were declared with, for every one there is.
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/solve/fold_in.h"
#include "sqmax/train/fit.h"

#include "tests/support/dense_loss.h"
#include "tests/support/score_cases.h"
#include "tests/support/split_data.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

class ScoreFoldIn : public testing::TestWithParam<ScoreCase> {
 protected:
  ScoreFoldIn() {
    Settings settings = GetParam().settings;
    settings["decay"] = 1e-3;
    model_ = Fitter(data_)
                 .fit({.loss = GetParam().loss,
                       .options = settings,
                       .solve = {.rank = 5, .iterations = 20}})
                 .model;
  }

  std::vector<float> folded(std::span<const Index> history) const {
    std::vector<float> p(5);
    FoldIn(model_).row(history, p);
    return p;
  }

  float score(std::span<const float> p, Index y) const {
    const ItemScaling scaling = item_scaling(model_);
    float o = 0.0f;
    for (std::size_t k = 0; k < p.size(); ++k) o += p[k] * model_.Q.view().row(y)[k];
    return scaling.scale.empty() ? o : scaling.scale[at(y)] * o + scaling.bias[at(y)];
  }

  Dataset data_ = split_data(4);
  Model model_;
};

TEST_P(ScoreFoldIn, LikesWhatItHas) {
  const std::vector<Index> history = {1, 4, 7, 11};
  const std::vector<float> p = folded(history);
  double own = 0.0;
  double others = 0.0;
  for (Index y = 0; y < model_.item_count(); ++y) {
    (contains(history, y) ? own : others) += score(p, y);
  }
  EXPECT_GT(own / 4.0, others / (model_.item_count() - 4.0));
}

TEST_P(ScoreFoldIn, IsAMinimumOfAFullLoss) {
  const ScoreLoss loss = find_loss(model_.loss).declare_scores(model_.options);
  if (!loss.is_full()) return;  // samples are drawn inside
  const std::vector<Index> history = {0, 3, 9};
  std::vector<float> p = folded(history);
  const auto value = [&] {
    std::vector<float> scores;
    double square = 0.0;
    for (Index y = 0; y < model_.item_count(); ++y) scores.push_back(score(p, y));
    for (const float v : p) square += double{v} * v;
    const auto pairs = static_cast<double>(model_.seen.nnz());
    const double share = static_cast<double>(history.size()) * model_.user_count() / pairs;
    const double decay = pairs * loss.descent.decay * std::pow(share, loss.descent.decay_power);
    return loss.full(history, scores) + decay / 2.0 * square;
  };
  for (float& v : p) EXPECT_NEAR(slope_along(v, value), 0.0, 1e-2);
}

TEST_P(ScoreFoldIn, IsTheSameAloneAmongOthersAndFromAFile) {
  const TemporaryFolder folder;
  save_model(model_, folder / "model");
  const Model loaded = load_model(folder / "model");
  EXPECT_EQ(loaded.by_distance, model_.by_distance);
  const FoldIn again(loaded);
  const Matrix all = again.rows(model_.seen.view().middle_rows(0, 3));
  for (Index x = 0; x < 3; ++x) {
    const std::vector<float> alone = folded(model_.seen.view().row(x));
    EXPECT_EQ(alone, std::vector<float>(all.row(x).begin(), all.row(x).end())) << "user " << x;
  }
}

TEST_P(ScoreFoldIn, OfNothingIsNothing) { EXPECT_EQ(folded({}), std::vector<float>(5, 0.0f)); }

INSTANTIATE_TEST_SUITE_P(Registry, ScoreFoldIn, testing::ValuesIn(score_cases()),
                         [](const auto& spec) { return spec.param.name(); });

}  // namespace
}  // namespace sqmax
