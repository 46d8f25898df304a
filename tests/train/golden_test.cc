// Golden numbers of an independent implementation: tests/golden/make.py.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sqmax/data/prepare.h"
#include "sqmax/data/read.h"
#include "sqmax/serve/recommender.h"
#include "sqmax/solve/fold_in.h"
#include "sqmax/train/fit.h"
#include "sqmax/train/measure.h"

namespace sqmax {
namespace {

using Json = nlohmann::json;
using Rows = std::vector<std::vector<double>>;

Json parse_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  return Json::parse(in);
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SQMAX_GOLDEN)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Golden : public testing::TestWithParam<std::string> {
 protected:
  Golden()
      : folder_(std::filesystem::path(SQMAX_GOLDEN) / GetParam()),
        config_(parse_file(folder_ / "config.json")),
        expected_(parse_file(folder_ / "expected.json")),
        tolerance_(config_["tolerance"]),
        dataset_(read()),
        model_(fit()) {}

  Dataset read() const {
    auto read = read_interactions({folder_ / "input.tsv"}, {.split = "split"});
    std::vector<Finding> findings;
    return make_dataset(std::move(read.interactions), {.split = {.kind = SplitKind::Given}},
                        findings);
  }

  Model fit() const {
    FitOptions options{.loss = config_["loss"], .solver = config_["solver"]};
    for (const auto& [name, value] : config_["options"].items()) {
      options.options[name] = value.is_string() ? SettingValue(value.get<std::string>())
                                                : SettingValue(value.get<double>());
    }
    options.solve = {.rank = config_["rank"], .iterations = 5000, .tolerance = 1e-6};
    return Fitter(dataset_).fit(options).model;
  }

  double score(std::span<const float> p, Index y) const {
    const ItemScaling scaling = item_scaling(model_);
    double o = 0.0;
    for (std::size_t k = 0; k < p.size(); ++k) o += double{p[k]} * model_.Q.view()(y, Offset(k));
    return model_.uses_prior ? scaling.scale[at(y)] * o + scaling.bias[at(y)] : o;
  }

  Index item(const std::string& id) const {
    const auto found = IdIndex(dataset_.items).find(id);
    EXPECT_TRUE(found.has_value()) << id;
    return found.value_or(0);
  }

  void expect_metrics(Part part, const std::string& key) const {
    std::string names;
    for (const auto& [name, value] : expected_[key]["metrics"].items()) {
      names += (names.empty() ? "" : ",") + name;
    }
    const Evaluation evaluation = measure(model_, dataset_, part, parse_metrics(names));
    EXPECT_EQ(evaluation.user_count(), expected_[key]["users"]);
    for (const auto& [name, value] : expected_[key]["metrics"].items()) {
      EXPECT_NEAR(evaluation.mean(name), value.get<double>(), 1e-12) << key << " " << name;
    }
  }

 private:
  std::filesystem::path folder_;

 protected:
  Json config_;
  Json expected_;
  double tolerance_;
  Dataset dataset_;
  Model model_;
};

TEST_P(Golden, PositionsAreGivenByFirstAppearance) {
  const auto ids = [](const IdTable& table) {
    std::vector<std::string> all;
    for (Index i = 0; i < table.size(); ++i) all.emplace_back(table[i]);
    return all;
  };
  EXPECT_EQ(ids(dataset_.users), expected_["users"].get<std::vector<std::string>>());
  EXPECT_EQ(ids(dataset_.items), expected_["items"].get<std::vector<std::string>>());
}

TEST_P(Golden, Scores) {
  const auto scores = expected_["scores"].get<Rows>();
  ASSERT_EQ(scores.size(), at(dataset_.user_count()));
  for (Index x = 0; x < dataset_.user_count(); ++x) {
    for (Index y = 0; y < dataset_.item_count(); ++y) {
      EXPECT_NEAR(score(model_.P.view().row(x), y), scores[at(x)][at(y)], tolerance_)
          << "user " << x << " item " << y;
    }
  }
}

TEST_P(Golden, FoldInScores) {
  const auto scores = expected_["fold_in_scores"].get<Rows>();
  const FoldIn fold_in(model_);
  for (std::size_t h = 0; h < scores.size(); ++h) {
    std::vector<Index> history;
    for (const std::string id : expected_["histories"][h]) history.push_back(item(id));
    std::vector<float> p(at(model_.Q.rank));
    fold_in.row(history, p);
    for (Index y = 0; y < dataset_.item_count(); ++y) {
      EXPECT_NEAR(score(p, y), scores[h][at(y)], tolerance_) << "history " << h << " item " << y;
    }
  }
}

TEST_P(Golden, TopLists) {
  const Recommender recommender(model_);
  std::vector<Index> users(at(dataset_.user_count()));
  std::iota(users.begin(), users.end(), 0);
  const auto lists = recommender.for_users(users, {.k = 5});
  for (std::size_t x = 0; x < lists.size(); ++x) {
    std::vector<std::string> ids;
    for (const Ranked& ranked : lists[x]) ids.emplace_back(dataset_.items[ranked.item]);
    EXPECT_EQ(ids, expected_["top"][x].get<std::vector<std::string>>()) << "user " << x;
  }
}

// The lists are the same, so every metric is the same but for the last digits of its sums.
TEST_P(Golden, Metrics) {
  expect_metrics(Part::Valid, "valid");
  expect_metrics(Part::Test, "test");
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(cases()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace sqmax
