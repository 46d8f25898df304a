// Links on data and options at the edge: finite, between different items, and never worse than
// none.
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/solve/links.h"

#include "tests/support/dense_loss.h"
#include "tests/support/edge_data.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

// Σ w o² − 2 p o over all pairs, o = p_x·q_y + Σ_{z∈I_x} b_zy; and the sum of what it adds up.
struct LinkedLoss {
  LinkedLoss(const QuadraticForm& form, CsrView by_user, const Matrix& P, const Matrix& Q,
             const Links& links) {
    for (Index x = 0; x < by_user.rows; ++x) {
      std::vector<double> o(at(by_user.cols));
      for (Index y = 0; y < by_user.cols; ++y) {
        for (Offset k = 0; k < P.cols(); ++k) o[at(y)] += double{P(x, k)} * Q(y, k);
      }
      for (const Index z : by_user.row(x)) {
        for (Offset i = links.targets.offsets[at(z)]; i < links.targets.offsets[at(z) + 1]; ++i) {
          o[at(links.targets.indices[at(i)])] += links.values[at(i)];
        }
      }
      for (Index y = 0; y < by_user.cols; ++y)
        add(form, x, y, contains(by_user.row(x), y), o[at(y)]);
    }
  }

  void add(const QuadraticForm& form, Index x, Index y, bool observed, double o) {
    double weight = double{form.users.weight[at(x)]} * form.items.weight[at(y)];
    double pull = form.target * form.users.lean[at(x)] * form.items.lean[at(y)];
    if (observed) {
      weight += double{form.users.curvature[at(x)]} * form.items.curvature[at(y)];
      pull += double{form.users.pull[at(x)]} * form.items.pull[at(y)];
    }
    value += weight * o * o - 2.0 * pull * o;
    size += weight * o * o + std::abs(2.0 * pull * o);
  }
  double value = 0.0;
  double size = 0.0;
};

// The largest confidence there may be, none, and what is declared.
std::vector<LossCase> with_confidences(const LossCase& loss) {
  std::vector<LossCase> cases = {loss};
  for (const OptionSpec& option : find_loss(loss.loss).options) {
    if (option.name != "alpha") continue;
    for (const double alpha : {0.0, option.high}) {
      cases.push_back(loss);
      cases.back().settings["alpha"] = alpha;
    }
  }
  return cases;
}

class LinksOnEdges : public testing::TestWithParam<LossCase> {
 protected:
  static Offset check(const QuadraticForm& form, const EdgeData& data, double ridge,
                      double spread) {
    TinyData random(2, 2, 0.5, 8);
    const CsrView by_user = data.by_user;
    const Csr by_item = transpose(by_user);
    const Matrix P = random.factors(by_user.rows, 2, spread);
    const Matrix Q = random.factors(by_user.cols, 2, spread);
    const Links links = fit_links({form, by_user, by_item}, P, Q, {.count = 5, .ridge = ridge});
    for (const float value : links.values.span()) EXPECT_TRUE(std::isfinite(value));
    for (Index z = 0; z < links.targets.rows; ++z) {
      EXPECT_FALSE(contains(links.targets.view().row(z), z)) << "a link to itself";
    }
    const Links none{.targets = empty_csr(by_user.cols, by_user.cols), .values = {}};
    const LinkedLoss before(form, by_user, P, Q, none);
    const LinkedLoss after(form, by_user, P, Q, links);
    EXPECT_LE(after.value, before.value + 1e-5 * (before.size + after.size));
    return links.targets.nnz();
  }
};

TEST_P(LinksOnEdges, AreFiniteAndNoWorseThanNone) {
  Offset found = 0;
  bool interacts = false;
  for (const EdgeData& data : edge_data()) {
    for (const LossCase& loss : with_confidences(GetParam())) {
      const QuadraticForm form = spell_out(loss.law(data.by_user), data.by_user);
      interacts |= form.users.interaction != 0.0 || form.items.interaction != 0.0;
      if (interacts) continue;  // such losses have no links
      for (const double ridge : {0.0, 1e-12, 0.3, 1e6}) {
        for (const double spread : {1e-3, 0.3, 30.0}) {
          SCOPED_TRACE(testing::Message() << data.name << ", " << loss.name() << ", κ " << ridge
                                          << ", spread " << spread);
          found += check(form, data, ridge, spread);
        }
      }
    }
  }
  EXPECT_TRUE(interacts || found > 0);
}

INSTANTIATE_TEST_SUITE_P(Registry, LinksOnEdges, testing::ValuesIn(loss_cases()),
                         [](const auto& each) { return each.param.name(); });

}  // namespace
}  // namespace sqmax
