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
  data.users = data.items = {};
  return data;
}

Model by_popularity(const Dataset& data) { return Fitter(data).fit({.loss = "popularity"}).model; }

TEST(Judges, LetEqualsClimbAndDecideByAll) {
  const Dataset data = many_users();
  const Model model = by_popularity(data);
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

/// The vector of x is the item after the one that it has: right for a third of the users.
Model that_knows_what_follows(const Dataset& data) {
  Model model = by_popularity(data);
  model.uses_prior = false;
  Matrix P(data.user_count(), 8);
  Matrix Q(8, 8);
  for (Index x = 0; x < data.user_count(); ++x) P.row(x)[at((x + 1) % 8)] = 1.0f;
  for (Index y = 0; y < 8; ++y) Q.row(y)[at(y)] = 1.0f;
  model.P = to_factors(std::move(P));
  model.Q = to_factors(std::move(Q));
  return model;
}

// The worst of several models is judged by the first rung alone.
TEST(Judges, LeaveTheWorseOnTheFirstRung) {
  const Dataset data = many_users();
  Judge judge(data, parse_metrics("ndcg@1"), 4);
  const Model good = that_knows_what_follows(data);
  Model bad = good;
  bad.P = to_factors(Matrix(data.user_count(), 8));
  EXPECT_TRUE(judge.judge(good).is_final);
  EXPECT_TRUE(judge.judge(good).is_final);
  const Judge::Verdict verdict = judge.judge(bad);
  EXPECT_FALSE(verdict.is_final);
  EXPECT_EQ(verdict.users, 4096);
  EXPECT_EQ(verdict.rungs.front(), verdict.valid[0].mean);
  EXPECT_LT(judge.glance(bad), judge.glance(good));
}

// One of four is a quarter, so the second best of four stays; the second best of six climbs.
TEST(Judges, LetAQuarterClimbAndNoMore) {
  const Dataset data = many_users();
  const Model model = that_knows_what_follows(data);
  Judge judge(data, parse_metrics("ndcg@1"), 4);
  for (const double value : {1.0, 0.0, 0.0}) judge.remember({&value, 1});
  EXPECT_FALSE(judge.judge(model).is_final);
  const double worse = 0.0;
  judge.remember({&worse, 1});
  EXPECT_TRUE(judge.judge(model).is_final);
}

}  // namespace
}  // namespace sqmax
