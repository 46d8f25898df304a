// Declarations: every loss against its row of the table of weights, written out densely.
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/loss/quadratic_form.h"

#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

// Values are stored in single precision.
constexpr double kSingle = 1e-6;

/// u v, τ a b, ω and ρ of one pair, as the table says.
struct Pair {
  double weight, lean, curvature, pull;
};

/// n_x, n_y, N and D = Σ n_x of a training matrix.
struct Sizes {
  explicit Sizes(CsrView R)
      : users(row_degrees(R)), items(column_degrees(R)), total(static_cast<double>(R.nnz())) {}

  double item_count() const { return static_cast<double>(items.size()); }
  std::vector<Index> users;
  std::vector<Index> items;
  double total;
};

double power_sum(const Sizes& sizes, double gamma) {
  double sum = 0.0;
  for (const Index n : sizes.items) sum += std::pow(std::max(0.5, double(n)), gamma);
  return sum;
}

struct Row {
  std::string loss;
  Settings options;
  Pair (*pair)(const Settings&, const Sizes&, Index x, Index y);
};

double number(const Settings& options, const std::string& name) {
  return std::get<double>(options.at(name));
}

std::string text(const Settings& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "" : std::get<std::string>(found->second);
}

// WRMF: (1 + α r) (o − r)²
Pair wrmf(const Settings& o, const Sizes&, Index, Index) {
  return {1, 0, number(o, "alpha"), 1 + number(o, "alpha")};
}

// iALS: (o − 1)² where observed, α₀ o² everywhere
Pair ials(const Settings& o, const Sizes&, Index, Index) { return {number(o, "alpha"), 0, 1, 1}; }

// RG²: n_x/N (o + 1 − r N/n_x)², and λ o² if the ridge is on the product
Pair rg2(const Settings& o, const Sizes& s, Index x, Index) {
  const double n = s.users[at(x)];
  const double product = text(o, "ridge") == "product" ? number(o, "lambda") : 0.0;
  return {n / s.item_count() + product, -n / s.item_count(), 0, 1};
}

// RG×: as RG², with extra (1 − o)² for observed pairs, and less curvature if diagonal
Pair rgx(const Settings& o, const Sizes& s, Index x, Index) {
  const double weight = s.users[at(x)] / s.item_count();
  const double beta = text(o, "interaction") == "diagonal" ? number(o, "beta") : 0.0;
  return {(1 - beta) * weight, -weight, number(o, "alpha"), 1 + number(o, "alpha")};
}

// RG²-SSM and RG×-SSM: w (o + 1 − r N/n_x)², w = n_x/N where observed, n_x (n+1)/N² elsewhere
Pair sampled(const Settings& o, const Sizes& s, Index x, Index) {
  const double n = s.users[at(x)];
  const double everywhere =
      n * std::min((number(o, "samples") + 1) / s.item_count(), 1.0) / s.item_count();
  const double beta = text(o, "interaction") == "diagonal" ? number(o, "beta") : 0.0;
  const double extra = n / s.item_count() - everywhere;
  // w (N/n_x − 1) of an observed pair, less what every pair has.
  const double pull = n > 0 ? n / s.item_count() * (s.item_count() / n - 1) + everywhere : 1.0;
  return {(1 - beta) * everywhere, -everywhere, extra, pull};
}

// RGp: c n_x^δ, π_y, −1, α, 1; c keeps the mean weight of those who have any item
Pair rgp(const Settings& o, const Sizes& s, Index x, Index y) {
  const auto active = std::count_if(s.users.begin(), s.users.end(), [](Index n) { return n > 0; });
  const double mean = s.total / double(active);
  const double delta = number(o, "activity");
  const double gamma = number(o, "prior");
  const double n = std::max(1.0, double(s.users[at(x)]));
  const double pi = std::pow(std::max(0.5, double(s.items[at(y)])), gamma) / power_sum(s, gamma);
  const double weight = std::pow(mean, 1 - delta) * std::pow(n, delta) * pi;
  return {weight, -weight, number(o, "alpha"), 1};
}

const std::vector<Row> kTable = {
    {"wrmf", {{"alpha", 3.0}, {"lambda", 2.0}}, &wrmf},
    {"rg2", {{"lambda", 0.3}, {"ridge", std::string("weighted")}}, &rg2},
    {"rg2", {{"lambda", 0.3}, {"ridge", std::string("plain")}}, &rg2},
    {"rg2", {{"lambda", 0.3}, {"ridge", std::string("product")}}, &rg2},
    {"ials", {{"lambda", 0.02}, {"alpha", 0.1}, {"nu", 0.7}}, &ials},
    {"rgx", {{"lambda", 0.3}, {"alpha", 0.0}}, &rgx},
    {"rgx", {{"lambda", 0.3}, {"alpha", 0.4}, {"ridge", std::string("plain")}}, &rgx},
    {"rgx",
     {{"lambda", 0.3}, {"alpha", 0.4}, {"beta", 0.6}, {"interaction", std::string("diagonal")}},
     &rgx},
    {"rg2-ssm", {{"lambda", 0.1}, {"samples", 4.0}}, &sampled},
    {"rg2-ssm", {{"lambda", 0.1}, {"samples", 100.0}}, &sampled},
    {"rgx-ssm", {{"lambda", 0.1}, {"samples", 4.0}}, &sampled},
    {"rgx-ssm",
     {{"lambda", 0.1}, {"samples", 4.0}, {"beta", 0.6}, {"interaction", std::string("diagonal")}},
     &sampled},
    {"rgp",
     {{"ridge", "weighted"}, {"lambda", 0.1}, {"prior", 0.75}, {"activity", 1.0}, {"alpha", 0.0}},
     &rgp},
    {"rgp",
     {{"ridge", "weighted"}, {"lambda", 0.1}, {"prior", 1.0}, {"activity", 0.5}, {"alpha", 0.2}},
     &rgp},
    {"rgp",
     {{"ridge", "weighted"}, {"lambda", 0.1}, {"prior", 0.0}, {"activity", 0.0}, {"alpha", 0.0}},
     &rgp}};

class Table : public testing::TestWithParam<Row> {
 protected:
  TinyData data_{13, 10, 0.4, 4};
  Sizes sizes_{data_.by_user};
  QuadraticLaw law_ =
      find_loss(GetParam().loss).declare(GetParam().options, degrees_of(data_.by_user));
  QuadraticForm form_ = spell_out(law_, data_.by_user);
  Pair pair(Index x, Index y) const { return GetParam().pair(GetParam().options, sizes_, x, y); }
};

TEST_P(Table, EveryPairHasItsWeights) {
  for (Index x = 0; x < 13; ++x) {
    for (Index y = 0; y < 10; ++y) {
      const Pair want = pair(x, y);
      const double weight = double{form_.users.weight[at(x)]} * form_.items.weight[at(y)];
      const double curvature = double{form_.users.curvature[at(x)]} * form_.items.curvature[at(y)];
      const double pull = double{form_.users.pull[at(x)]} * form_.items.pull[at(y)];
      const double lean = form_.target * form_.users.lean[at(x)] * form_.items.lean[at(y)];
      EXPECT_NEAR(weight, want.weight, kSingle * want.weight);
      EXPECT_NEAR(lean, want.lean, kSingle * std::abs(want.lean));
      EXPECT_NEAR(curvature, want.curvature, kSingle * std::max(want.curvature, 1.0));
      EXPECT_NEAR(pull, want.pull, kSingle * want.pull);
    }
  }
}

// The interaction of a user's scores is that of RG×, and of no other loss.
TEST_P(Table, OnlyTheExactInteractionCouples) {
  const Settings complete = completed("", find_loss(GetParam().loss).options, GetParam().options);
  const bool exact = text(complete, "interaction") == "exact";
  EXPECT_NEAR(form_.users.interaction, exact ? number(complete, "beta") : 0.0, kSingle);
  EXPECT_EQ(form_.items.interaction, 0.0);
  // rounded weights or not, the loss is convex along a common shift of all items
  const auto& weights = form_.items.weight;
  EXPECT_LE(form_.users.interaction * std::accumulate(weights.begin(), weights.end(), 0.0), 1.0);
}

// λ (n_x + α₀N)^ν
TEST_P(Table, TheRidgeOfIalsIsAPowerOfTheFrequency) {
  if (GetParam().loss != "ials") return;
  for (Index x = 0; x < 13; ++x) {
    const double want = 0.02 * std::pow(sizes_.users[at(x)] + 0.1 * 10, 0.7);
    EXPECT_NEAR(form_.users.ridge[at(x)], want, kSingle * want);
  }
  for (Index y = 0; y < 10; ++y) {
    const double want = 0.02 * std::pow(sizes_.items[at(y)] + 0.1 * 13, 0.7);
    EXPECT_NEAR(form_.items.ridge[at(y)], want, kSingle * want);
  }
}

// λ on every row, or λ times the row and column sums of the dense weights, or none of rows.
TEST_P(Table, TheRidgeIsPlainOrTheSumOfTheWeights) {
  if (GetParam().loss == "ials") return;
  const Settings& options = GetParam().options;
  const double lambda = number(options, "lambda");
  const Settings complete = completed("", find_loss(GetParam().loss).options, options);
  const auto ridge = complete.find("ridge");
  const bool weighted =
      ridge != complete.end() && std::get<std::string>(ridge->second) == "weighted";
  const double plain = text(complete, "ridge") == "product" ? 0.0 : 1.0;
  std::vector<double> rows(13);
  std::vector<double> cols(10);
  for (Index x = 0; x < 13; ++x) {
    const auto items = data_.by_user.view().row(x);
    for (Index y = 0; y < 10; ++y) {
      const Pair want = pair(x, y);
      const bool observed = std::binary_search(items.begin(), items.end(), y);
      const double W = want.weight + (observed ? want.curvature : 0.0);
      rows[at(x)] += W;
      cols[at(y)] += W;
    }
  }
  for (Index x = 0; x < 13; ++x) {
    const double want = lambda * (weighted ? rows[at(x)] : plain);
    EXPECT_NEAR(form_.users.ridge[at(x)], want, kSingle * want);
  }
  for (Index y = 0; y < 10; ++y) {
    const double want = lambda * (weighted ? cols[at(y)] : plain);
    EXPECT_NEAR(form_.items.ridge[at(y)], want, kSingle * want);
  }
}

// Σ_y v_y = 1 and Σ_y v_y t_xy = 0 with t_xy = r/(u_x v_y) − 1: every row of targets is centred,
// as long as all pairs weigh the same in both of their parts.
TEST_P(Table, TargetsAreRowCentred) {
  if (law_.target == 0.0 || !is_separable(form_) || form_.users.lean != form_.users.weight) return;
  const double total = std::accumulate(form_.items.weight.begin(), form_.items.weight.end(), 0.0);
  EXPECT_NEAR(total, 1.0, kSingle);
  const auto activity = GetParam().options.find("activity");
  if (activity != GetParam().options.end() && std::get<double>(activity->second) != 1.0) return;
  for (Index x = 0; x < 13; ++x) {
    const double u = form_.users.weight[at(x)];
    const auto items = data_.by_user.view().row(x);
    if (items.empty()) continue;
    double sum = 0.0;
    for (Index y = 0; y < 10; ++y) {
      const double v = form_.items.weight[at(y)];
      const bool observed = std::binary_search(items.begin(), items.end(), y);
      sum += v * ((observed ? 1.0 / (u * v) : 0.0) - 1.0);
    }
    EXPECT_NEAR(sum, 0.0, 10 * kSingle) << "user " << x;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Table, testing::ValuesIn(kTable), [](const auto& each) {
  std::string name = each.param.loss;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + std::to_string(each.index);
});

TEST(Losses, EverySquaredLossWithFactorsIsInTheTable) {
  for (const LossSpec& loss : losses()) {
    const bool listed = std::any_of(kTable.begin(), kTable.end(),
                                    [&](const Row& row) { return row.loss == loss.name; });
    EXPECT_EQ(listed, loss.has_factors && loss.is_squared())
        << "give " << loss.name << " a row in this test";
  }
}

// RGp without a prior and with δ = 1 is RG².
TEST(Losses, RgpContainsRg2) {
  const TinyData data(12, 9, 0.5, 6);
  const Degrees degrees = degrees_of(data.by_user);
  const auto rgp_form = spell_out(
      find_loss("rgp").declare({{"prior", 0.0}, {"activity", 1.0}}, degrees), data.by_user);
  const auto rg2_form =
      spell_out(find_loss("rg2").declare({{"lambda", 0.2}}, degrees), data.by_user);
  for (Index x = 0; x + 1 < 12;
       ++x) {  // the last row is empty: RGp gives it the weight of one item
    EXPECT_FLOAT_EQ(rgp_form.users.weight[at(x)], rg2_form.users.weight[at(x)]);
  }
  for (std::size_t y = 0; y < 9; ++y) {
    EXPECT_FLOAT_EQ(rgp_form.items.weight[y], rg2_form.items.weight[y]);
  }
}

TEST(Losses, NamesAndOptionsAreDistinctAndDefaultsAreAllowed) {
  std::set<std::string> names;
  for (const LossSpec& loss : losses()) {
    EXPECT_TRUE(names.insert(loss.name).second);
    EXPECT_FALSE(loss.title.empty());
    EXPECT_FALSE(loss.formula.empty());
    std::set<std::string> options;
    for (const OptionSpec& option : loss.options) {
      EXPECT_TRUE(options.insert(option.name).second) << loss.name << " " << option.name;
      EXPECT_NO_THROW(checked(option, option.fallback)) << loss.name << " " << option.name;
      if (!option.choices.empty() || option.search.low >= option.search.high) continue;
      EXPECT_GE(option.search.low, option.low) << loss.name << " " << option.name;
      EXPECT_LE(option.search.high, option.high) << loss.name << " " << option.name;
      EXPECT_TRUE(option.search.scale == Scale::Linear || option.search.low > 0.0);
    }
  }
  EXPECT_THROW(find_loss("rg3"), Error);
}

}  // namespace
}  // namespace sqmax
