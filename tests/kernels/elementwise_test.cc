// Elementwise kernels and those over listed rows against plain loops in double, on every
// instruction set and for every tail.
#include "kernels/elementwise.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "sqmax/core/random.h"
#include "sqmax/kernels/isa.h"

#include "kernels/listed.h"

namespace sqmax {
namespace {

class ElementwiseOfEveryIsa : public testing::TestWithParam<std::string> {
 protected:
  ElementwiseOfEveryIsa() { use_isa(GetParam()); }
  ~ElementwiseOfEveryIsa() override { use_isa(""); }

  std::vector<float> values(std::size_t count) {
    std::vector<float> x(count);
    for (float& value : x) value = static_cast<float>(random_.normal());
    return x;
  }

  Random random_{9, Purpose::Test};
};

TEST_P(ElementwiseOfEveryIsa, ExponentialsAndTheirSum) {
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::vector<float> x = values(n);
    std::vector<float> e = x;
    const float sum = kernels::exponentials(0.5f, e);
    double expected = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double exact = std::exp(double{x[i]} - 0.5);
      expected += exact;
      EXPECT_NEAR(e[i], exact, 1e-6 * exact) << n;
    }
    EXPECT_NEAR(sum, expected, 1e-5 * expected) << n;
    EXPECT_EQ(kernels::largest(x), *std::max_element(x.begin(), x.end())) << n;
  }
}

TEST_P(ElementwiseOfEveryIsa, ScalesInPlaceAndElsewhere) {
  for (std::size_t n = 0; n <= 40; ++n) {
    const std::vector<float> x = values(n);
    std::vector<float> here = x;
    std::vector<float> there(n, 7.0f);
    kernels::scale(-1.5f, here);
    kernels::scaled(-1.5f, x, there);
    EXPECT_EQ(here, there) << n;
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(there[i], -1.5f * x[i]) << n;
  }
}

TEST_P(ElementwiseOfEveryIsa, StepsOfDescent) {
  const kernels::AdamStep adam{.rate = 0.1f, .beta1 = 0.8f, .beta2 = 0.9f, .epsilon = 1e-3f};
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::vector<float> g = values(n);
    const std::vector<float> x = values(n);
    std::vector<float> by_sgd = x;
    kernels::sgd_step(0.1f, 0.5f, g, by_sgd);
    std::vector<float> m(n, 0.25f), v(n, 0.5f), by_adam = x;
    kernels::adam_step(adam, 0.5f, g, m, v, by_adam);
    for (std::size_t i = 0; i < n; ++i) {
      const double h = g[i] + 0.5 * x[i];
      const double first = 0.8 * 0.25 + 0.2 * h;
      const double second = 0.9 * 0.5 + 0.1 * h * h;
      EXPECT_NEAR(by_sgd[i], x[i] - 0.1 * h, 1e-6) << n;
      EXPECT_NEAR(m[i], first, 1e-6) << n;
      EXPECT_NEAR(v[i], second, 1e-6) << n;
      EXPECT_NEAR(by_adam[i], x[i] - 0.1 * first / (std::sqrt(second) + 1e-3), 1e-6) << n;
    }
  }
}

TEST_P(ElementwiseOfEveryIsa, ListedRows) {
  for (const Offset cols : {1, 7, 8, 16, 33, 64, 70, 134}) {
    Matrix F(9, cols);
    for (float& value : F.values()) value = static_cast<float>(std::round(4 * random_.normal()));
    std::vector<float> x(at(cols));
    for (float& value : x) value = static_cast<float>(std::round(4 * random_.normal()));
    const std::vector<Index> rows = {3, 3, 0, 8, 5, 1};
    std::vector<float> dots(6), distances(6), sum(at(cols), 1.0f);
    const std::vector<float> w = {1, -2, 0, 3, 1, 5};
    kernels::listed_dots(rows, F, x, dots);
    kernels::listed_distances(rows, F, x, distances);
    kernels::listed_sum(rows, w, F, sum);
    std::vector<kernels::WeightedRow> anywhere;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      anywhere.push_back({F.row(rows[j]).data(), w[j]});
    }
    std::vector<float> alone(at(cols), 7.0f);  // what was there does not count
    kernels::weighted_sum(anywhere, alone);
    std::vector<float> expected(at(cols), 1.0f);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      float dot = 0.0f;
      float distance = 0.0f;
      for (Offset c = 0; c < cols; ++c) {
        dot += x[at(c)] * F(rows[j], c);
        distance += (x[at(c)] - F(rows[j], c)) * (x[at(c)] - F(rows[j], c));
        expected[at(c)] += w[j] * F(rows[j], c);
      }
      EXPECT_EQ(dots[j], dot) << cols;  // whole numbers: no rounding
      EXPECT_EQ(distances[j], distance) << cols;
    }
    EXPECT_EQ(sum, expected) << cols;
    for (float& value : alone) value += 1.0f;
    EXPECT_EQ(alone, expected) << cols;
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, ElementwiseOfEveryIsa, testing::ValuesIn(available_isas()),
                         [](const auto& spec) { return spec.param; });

}  // namespace
}  // namespace sqmax
