// Exponentials, and steps of descent.
#pragma once

#include "fuzz/kernels/draws.h"
#include "kernels/elementwise.h"

namespace sqmax::kernels_fuzz {

inline void check_exponentials(Draws& draws) {
  const auto x = draws.values(1 + draws.size(80));
  const float shift = draws.value();
  require(kernels::largest(x) == *std::ranges::max_element(x));
  auto e = x;
  const float sum = kernels::exponentials(shift, e);
  double want = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(double{x[i]} - shift);
    require(near(e[i], exact));
    want += exact;
  }
  require(std::abs(sum - want) <= 1e-5 * want);
}

// Halves and whole numbers are exact but for the division of Adam.
inline void check_steps(Draws& draws) {
  const auto g = draws.values(draws.size(80));
  const auto x = draws.values(std::ssize(g));
  const float a = draws.value();
  auto here = x;
  std::vector<float> there(x.size(), 99.0f);
  kernels::scale(a, here);
  kernels::scaled(a, x, there);
  auto by_sgd = x;
  kernels::sgd_step(0.5f, a, g, by_sgd);
  auto m = draws.values(std::ssize(g));
  auto v = draws.values(std::ssize(g));
  for (float& each : v) each = std::abs(each);
  const auto m_before = m;
  const auto v_before = v;
  auto by_adam = x;
  const kernels::AdamStep step{.rate = 0.5f, .beta1 = 0.5f, .beta2 = 0.75f, .epsilon = 0.5f};
  kernels::adam_step(step, a, g, m, v, by_adam);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float h = g[i] + a * x[i];
    require(here[i] == a * x[i] && there[i] == a * x[i] && by_sgd[i] == x[i] - 0.5f * h);
    require(m[i] == 0.5f * m_before[i] + 0.5f * h);
    require(v[i] == 0.75f * v_before[i] + 0.25f * h * h);
    require(near(by_adam[i], x[i] - 0.5 * m[i] / (std::sqrt(double{v[i]}) + 0.5)));
  }
}

}  // namespace sqmax::kernels_fuzz
