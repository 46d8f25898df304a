// Score losses by their definitions, and their slopes by differences, for every one there is.
#include "sqmax/loss/score_loss.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/random.h"

#include "tests/support/score_cases.h"

namespace sqmax {
namespace {

constexpr float kDifference = 1e-3f;

std::vector<float> random_scores(std::size_t count, Random& random, double spread = 1.0) {
  std::vector<float> scores(count);
  for (float& score : scores) score = static_cast<float>(spread * random.normal());
  return scores;
}

/// The arguments of a sampled loss, which can be moved one at a time.
struct Arguments {
  Arguments(std::size_t count, Random& random)
      : user(random_scores(count, random)),
        item(random_scores(count, random)),
        log_share(random_scores(count, random)),
        user_extra(static_cast<float>(random.uniform())),
        item_extra(static_cast<float>(random.uniform())) {
    log_share[0] = 0.0f;
  }

  double value(const ScoreLoss& loss) const {
    std::vector<float> along_user(user.size());
    std::vector<float> along_item(item.size());
    SampledSlopes out{.user = along_user, .item = along_item};
    return loss.sampled({user, item, log_share, user_extra, item_extra}, out);
  }

  std::vector<float> user, item, log_share;
  float user_extra, item_extra;
};

class EveryScoreLoss : public testing::TestWithParam<ScoreCase> {
 protected:
  void check_sampled();
  void check_full();

  ScoreLoss loss_ = GetParam().declare();
  Random random_{3, Purpose::Test};
};

template <class Value>
double difference_along(float& x, const Value& value) {
  const float kept = x;
  x = kept + kDifference;
  const double up = value();
  const double width = double{x};
  x = kept - kDifference;
  const double down = value();
  const double slope = (up - down) / (width - double{x});
  x = kept;
  return slope;
}

// Hinges have corners: a point whose two one-sided differences disagree is no test of a slope.
void EveryScoreLoss::check_sampled() {
  for (int round = 0; round < 50; ++round) {
    Arguments at(5, random_);
    std::vector<float> along_user(at.user.size());
    std::vector<float> along_item(at.item.size());
    SampledSlopes out{.user = along_user, .item = along_item};
    loss_.sampled({at.user, at.item, at.log_share, at.user_extra, at.item_extra}, out);
    const auto value = [&] { return at.value(loss_); };
    const auto expect_slope = [&](float& x, float slope, const char* what) {
      const float kept = x;
      x = kept + kDifference;
      const double up = value();
      x = kept - kDifference;
      const double down = value();
      x = kept;
      const double bend = (up + down - 2.0 * value()) / kDifference;
      if (std::abs(bend) > 0.01) return;
      EXPECT_NEAR(difference_along(x, value), slope, 2e-3) << what << ", round " << round;
    };
    for (std::size_t j = 0; j < at.user.size(); ++j) {
      expect_slope(at.user[j], along_user[j], "user");
      if (loss_.compares_items) expect_slope(at.item[j], along_item[j], "item");
    }
    if (loss_.user_extra) expect_slope(at.user_extra, out.user_extra, "user's extra");
    if (loss_.item_extra) expect_slope(at.item_extra, out.item_extra, "item's extra");
  }
}

void EveryScoreLoss::check_full() {
  const std::vector<Index> observed = {1, 4, 17};
  for (int round = 0; round < 5; ++round) {
    std::vector<float> scores = random_scores(23, random_, 0.4);
    std::vector<float> slopes = scores;
    loss_.full(observed, slopes);
    for (std::size_t y = 0; y < scores.size(); ++y) {
      const auto value = [&] {
        std::vector<float> copy = scores;
        return loss_.full(observed, copy);
      };
      EXPECT_NEAR(difference_along(scores[y], value), slopes[y], 1e-2) << "item " << y;
    }
  }
}

TEST_P(EveryScoreLoss, SlopesAreThoseOfTheValue) {
  if (loss_.is_full()) {
    check_full();
  } else {
    check_sampled();
  }
}

// Large scores: no overflow, and slopes that say which way to go.
TEST_P(EveryScoreLoss, IsFiniteForLargeScores) {
  for (const float size : {1e3f, 1e6f}) {
    if (loss_.is_full()) {
      std::vector<float> scores = {-size, size, 0.0f, size / 2};
      EXPECT_TRUE(std::isfinite(loss_.full(std::vector<Index>{0}, scores)));
      EXPECT_LT(scores[0], 0.0f);
      EXPECT_GT(scores[1], 0.0f);
    } else {
      Arguments at(3, random_);
      at.user = {-size, size, size / 2};
      EXPECT_TRUE(std::isfinite(at.value(loss_)));
      at.user = {size, -size, -size / 2};
      EXPECT_TRUE(std::isfinite(at.value(loss_)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryScoreLoss, testing::ValuesIn(score_cases()),
                         [](const auto& spec) { return spec.param.name(); });

double log_sum_exp(const std::vector<float>& scores) {
  double sum = 0.0;
  for (const float score : scores) sum += std::exp(double{score});
  return std::log(sum);
}

TEST(Softmax, IsTheSumOfNegativeLogarithmsOfProbabilities) {
  Random random(5, Purpose::Test);
  const std::vector<Index> observed = {0, 3, 30, 36};
  std::vector<float> scores = random_scores(37, random);
  double expected = 0.0;
  for (const Index y : observed) expected += log_sum_exp(scores) - scores[at(y)];
  EXPECT_NEAR(find_loss("sm").declare_scores({}).full(observed, scores), expected, 1e-5);
}

TEST(SampledSoftmax, CorrectsLogitsByTheProposal) {
  const std::vector<float> scores = {0.3f, -0.2f, 1.1f};
  const std::vector<float> log_share = {0.0f, 0.5f, -0.7f};
  const double Z = std::exp(0.3) + std::exp(-0.2 - 0.5) + std::exp(1.1 + 0.7);
  std::vector<float> slopes(3);
  SampledSlopes out{.user = slopes, .item = {}};
  EXPECT_NEAR(find_loss("ssm").declare_scores({}).sampled({scores, {}, log_share}, out),
              std::log(Z) - 0.3, 1e-6);
}

// The projection onto the simplex by a full sort, in double.
std::vector<double> projection(const std::vector<float>& scores) {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted, std::greater<>());
  double sum = 0.0;
  double threshold = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
    if (sorted[k] > candidate) threshold = candidate;
  }
  std::vector<double> result;
  for (const float score : scores) result.push_back(std::max(score - threshold, 0.0));
  return result;
}

TEST(Sparsemax, ProjectsOntoTheSimplex) {
  const ScoreLoss loss = find_loss("sparsemax").declare_scores({});
  Random random(6, Purpose::Test);
  for (const double spread : {1e-3, 0.1, 1.0, 10.0}) {
    std::vector<float> scores = random_scores(61, random, spread);
    scores[7] = scores[8];
    const std::vector<double> expected = projection(scores);
    std::vector<float> slopes = scores;
    loss.full(std::vector<Index>{5, 9}, slopes);
    for (std::size_t y = 0; y < scores.size(); ++y) {
      const double observed = y == 5 || y == 9 ? 1.0 : 0.0;
      EXPECT_NEAR(slopes[y], 2.0 * expected[y] - observed, 1e-5) << "spread " << spread;
    }
  }
}

std::vector<double> softmax_in_double(const std::vector<float>& scores) {
  const double shift = log_sum_exp(scores);
  std::vector<double> result;
  for (const float score : scores) result.push_back(std::exp(score - shift));
  return result;
}

// A user who has every other of two million items: n p − r, and the loss, as sums in double are.
TEST(FullLosses, OfMillionsOfItemsAreThoseInDouble) {
  constexpr Index kAll = 2'000'000;
  std::vector<Index> observed;
  for (Index y = 0; y < kAll; y += 2) observed.push_back(y);
  const auto degree = static_cast<double>(observed.size());
  Random random(9, Purpose::Test);
  for (const double spread : {0.1, 5.0}) {
    const std::vector<float> scores = random_scores(kAll, random, spread);
    double pulls = 0.0;
    for (const Index y : observed) pulls += scores[at(y)];
    for (const std::string name : {"sm", "sparsemax"}) {
      SCOPED_TRACE(name);
      std::vector<float> slopes = scores;
      const double value = find_loss(name).declare_scores({}).full(observed, slopes);
      const auto p = name == "sm" ? softmax_in_double(scores) : projection(scores);
      double worst = 0.0;
      for (Index y = 0; y < kAll; ++y) {
        const double want = degree * p[at(y)] - (y % 2 == 0 ? 1.0 : 0.0);
        worst = std::max(worst, std::abs(slopes[at(y)] - want) / (1.0 + degree * p[at(y)]));
      }
      EXPECT_LT(worst, 1e-3);
      if (name != "sm") continue;
      const double want = degree * log_sum_exp(scores) - pulls;
      EXPECT_NEAR(value, want, 1e-4 * std::abs(want));
    }
  }
}

// The loss is zero where all probability lies on the observed item.
TEST(Sparsemax, IsZeroPastAMarginOfOne) {
  const ScoreLoss loss = find_loss("sparsemax").declare_scores({});
  std::vector<float> scores = {0.5f, 1.6f, 0.2f};
  EXPECT_NEAR(loss.full(std::vector<Index>{1}, scores), 0.0, 1e-6);
}

TEST(Descent, StepsGrowWithTheData) {
  ScoreLoss loss = find_loss("bpr").declare_scores({});
  EXPECT_EQ(pairs_of_step(loss, 0), 1);
  EXPECT_EQ(pairs_of_step(loss, 2048), 2048);
  EXPECT_EQ(pairs_of_step(loss, 2049), 1025);  // two steps alike
  EXPECT_EQ(pairs_of_step(loss, 640'000), 10'000);
  EXPECT_EQ(pairs_of_step(loss, Offset{1} << 40), 16'384);
  loss.sampling.negatives = 64;
  EXPECT_EQ(pairs_of_step(loss, Offset{1} << 40), 4'096);
  loss.sampling.negatives = 10'000;
  EXPECT_EQ(pairs_of_step(loss, Offset{1} << 40), 2'048);
  loss.descent.batch = 7;
  EXPECT_EQ(pairs_of_step(loss, 1'000'000), 7);
  EXPECT_EQ(pairs_of_step(loss, 5), 5);
}

}  // namespace
}  // namespace sqmax
