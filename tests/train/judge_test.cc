// Judges: samples of users, and who climbs.
#include "train/judge.h"

#include <set>

#include <gtest/gtest.h>

#include "sqmax/train/fit.h"

#include "tests/support/split_data.h"

namespace sqmax {
namespace {

std::set<Index> users_of(CsrView part) {
  std::set<Index> users;
  for (Index x = 0; x < part.rows; ++x) {
    if (part.row_size(x) > 0) users.insert(x);
  }
  return users;
}

TEST(SampledUsers, KeepTheirItemsAndAreAmongThoseOfALargerSample) {
  const Dataset data = split_data(1);
  const std::set<Index> all = users_of(data.valid);
  std::set<Index> before;
  for (Index count = 1; count <= static_cast<Index>(all.size()) + 2; ++count) {
    const Csr sample = sample_users(data.valid, count, 9);
    const std::set<Index> users = users_of(sample);
    EXPECT_EQ(users.size(), std::min(at(count), all.size()));
    EXPECT_TRUE(std::includes(users.begin(), users.end(), before.begin(), before.end()));
    for (const Index x : users) {
      EXPECT_TRUE(std::ranges::equal(sample.view().row(x), data.valid.view().row(x)));
    }
    before = users;
  }
  EXPECT_EQ(before, all);
}

/// 12,000 users, each with one item of 8 in training and another one in validation.
Dataset many_users() {
  const Index users = 12000;
  const Index items = 8;
  std::vector<Offset> offsets = {0};
  std::vector<Index> train;
  std::vector<Index> valid;
  for (Index x = 0; x < users; ++x) {
    train.push_back(x % items);
    valid.push_back((x + 1 + x / 4000) % items);
    offsets.push_back(x + 1);
  }
  Dataset data = split_data(1);
  data.train = {users, items, offsets, train};
  data.valid = {users, items, offsets, valid};
  data.test = data.history = empty_csr(users, items);
  return data;
}

Model by_popularity(const Dataset& data) { return Fitter(data).fit({.loss = "popularity"}).model; }

TEST(Judges, LetEqualsClimbAndDecideByAll) {
  Dataset data = many_users();
  data.users = {};
  data.items = {};
  Model model = by_popularity(data);
  Judge judge(data, parse_metrics("ndcg@3,recall@3"), 4);
  for (int i = 0; i < 3; ++i) {
    const Judge::Verdict verdict = judge.judge(model);
    EXPECT_TRUE(verdict.is_final);
    EXPECT_EQ(verdict.users, 12000);
    const Evaluation all = measure(model, data, Part::Valid, parse_metrics("ndcg@3,recall@3"));
    EXPECT_EQ(verdict.valid[0].mean, all.metrics[0].mean);
    EXPECT_EQ(verdict.valid[1].mean, all.metrics[1].mean);
  }
}

// The worst of several models is judged by the first rung alone.
TEST(Judges, LeaveTheWorseOnTheFirstRung) {
  Dataset data = many_users();
  data.users = {};
  data.items = {};
  Judge judge(data, parse_metrics("ndcg@1"), 4);
  Model good = by_popularity(data);
  // A good model knows which item follows: the vector of x is the item that it has.
  good.uses_prior = false;
  Matrix P(data.user_count(), 8);
  Matrix Q(8, 8);
  for (Index x = 0; x < data.user_count(); ++x) P.row(x)[at((x + 1) % 8)] = 1.0f;
  for (Index y = 0; y < 8; ++y) Q.row(y)[at(y)] = 1.0f;
  good.Q = to_factors(std::move(Q));
  Model bad = good;
  bad.P = to_factors(Matrix(data.user_count(), 8));
  good.P = to_factors(std::move(P));
  EXPECT_TRUE(judge.judge(good).is_final);
  EXPECT_TRUE(judge.judge(good).is_final);
  const Judge::Verdict verdict = judge.judge(bad);
  EXPECT_FALSE(verdict.is_final);
  EXPECT_EQ(verdict.users, 4096);
  EXPECT_EQ(verdict.rungs.front(), verdict.valid[0].mean);
  EXPECT_LT(judge.glance(bad), judge.glance(good));
}

}  // namespace
}  // namespace sqmax
