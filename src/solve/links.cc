// fit_links(): one item at a time, candidates by the gain of each alone, then all of them together.
//
// In b_zy, for one item y, the loss is a quadratic with
//
//   g_z   = Σ_{x∋z} [ r_xy (ρ_x ρ_y − ω_x ω_y o_xy) + τ a_x b_y − u_x v_y o_xy ]      slope at 0,
//   ·(−½) A_zz' = Σ_{x∋z,z'} ( u_x v_y + r_xy ω_x ω_y ) curvature, ·½
//
// where o is the score by vectors alone. Sums over every user x∋z, not only those of y, come from
// one gathered vector per item: Σ_{x∋z} u_x o_xy = h_z·q_y with h_z = Σ_{x∋z} u_x p_x.
#include "sqmax/solve/links.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <Eigen/Cholesky>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "kernels/dense.h"
#include "solve/small.h"

namespace sqmax {
namespace {

constexpr double kLeastRidge = 1e-6;  // two items with the same users must not be a singular system

struct Link {
  Index source = 0;
  float value = 0.0f;
};

/// What is the same for every item y.
struct Setting {
  Setting(const Problem& given, ConstMatrix user_vectors, ConstMatrix item_vectors,
          const LinkOptions& link_options)
      : problem(given),
        P(user_vectors),
        Q(item_vectors),
        options(link_options),
        weight(given.form.users.weight),
        weight_sum(at(Q.rows)),
        lean_sum(at(Q.rows)),
        h(Q.rows, Q.cols) {
    for (Index x = 0; x < problem.by_user.rows; ++x) {
      if (!is_asked(x)) weight[at(x)] = 0.0f;
    }
    parallel_blocks(Q.rows, grain_for(Q.rows, 64), [this](const Block& block) {
      for (Offset z = block.begin; z < block.end; ++z) sum_users(static_cast<Index>(z));
    });
  }

  bool is_asked(Index x) const { return problem.by_user.row_size(x) <= kLongestHistory; }

  void sum_users(Index z) {
    const auto users = problem.by_item.row(z);
    kernels::gather_sum(users, weight, P, 1.0f, h.row(z));
    for (const Index x : users) {
      weight_sum[at(z)] += weight[at(x)];
      if (is_asked(x)) lean_sum[at(z)] += problem.form.users.lean[at(x)];
    }
  }

  const Problem& problem;
  ConstMatrix P;
  ConstMatrix Q;
  const LinkOptions& options;
  std::vector<float> weight;       // u, 0 for those who are not asked
  std::vector<double> weight_sum;  // Σ_{x∋z} u_x
  std::vector<double> lean_sum;    // Σ_{x∋z} a_x
  Matrix h;                        // Σ_{x∋z} u_x p_x
};

/// What the users of y say about z: their part of g_z and of A_zz.
struct Tally {
  Index item = -1;  // the y that it is about
  float slope = 0.0f;
  float curvature = 0.0f;
};

struct Candidate {
  Index source = 0;
  double slope = 0.0;
  double gain = 0.0;  // by which the loss falls if this link were alone
};

class LinkSolver {
 public:
  explicit LinkSolver(const Setting& setting)
      : s_(setting), tallies_(at(setting.Q.rows)), sources_of_(at(setting.P.rows)) {}

  std::vector<Link> links_to(Index y) {
    tally(y);
    choose(y);
    if (chosen_.empty()) return {};
    const Eigen::VectorXd b = Eigen::LLT<Small, Eigen::Lower>(system(y)).solve(slopes());
    std::vector<Link> links;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const double value = b[static_cast<Eigen::Index>(i)];
      if (std::isfinite(value)) links.push_back({chosen_[i].source, static_cast<float>(value)});
    }
    return links;
  }

 private:
  void tally(Index y) {
    const QuadraticForm& form = s_.problem.form;
    touched_.clear();
    for (const Index x : s_.problem.by_item.row(y)) {
      if (!s_.is_asked(x)) continue;
      const float curvature = form.users.curvature[at(x)] * form.items.curvature[at(y)];
      float slope = form.users.pull[at(x)] * form.items.pull[at(y)];
      if (curvature != 0.0f) slope -= curvature * kernels::dot(s_.P.row(x), s_.Q.row(y));
      for (const Index z : s_.problem.by_user.row(x)) {
        Tally& tally = tallies_[at(z)];
        if (tally.item != y) {
          tally = {.item = y};
          touched_.push_back(z);
        }
        tally.slope += slope;
        tally.curvature += curvature;
      }
    }
  }

  // The m candidates of largest gain, by source.
  void choose(Index y) {
    const QuadraticForm& form = s_.problem.form;
    const double v = form.items.weight[at(y)];
    const double pull = form.target * form.items.lean[at(y)];
    chosen_.clear();
    for (const Index z : touched_) {
      const Tally& tally = tallies_[at(z)];
      const double expected = v * double{kernels::dot(s_.h.row(z), s_.Q.row(y))};
      const double slope = tally.slope + pull * s_.lean_sum[at(z)] - expected;
      const double curvature = v * s_.weight_sum[at(z)] + tally.curvature;
      if (z == y || !(slope > 0.0) || !(curvature > 0.0)) continue;
      chosen_.push_back({z, slope, slope * slope / curvature});
    }
    const auto better = [](const Candidate& a, const Candidate& b) {
      return a.gain > b.gain || (a.gain == b.gain && a.source < b.source);
    };
    if (chosen_.size() > at(s_.options.count)) {
      std::nth_element(chosen_.begin(), chosen_.begin() + s_.options.count, chosen_.end(), better);
      chosen_.resize(at(s_.options.count));
    }
    std::ranges::sort(chosen_, {}, &Candidate::source);
  }

  // A with its ridge. Every user of a chosen item gets a word with a bit for each of them that it
  // has, and the highest bit for y.
  Small system(Index y) {
    constexpr std::uint64_t kHasItem = std::uint64_t{1} << kMostLinks;
    const auto count = static_cast<Eigen::Index>(chosen_.size());
    Small A = Small::Zero(count, count);
    users_.clear();
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      mark(s_.problem.by_item.row(chosen_[i].source), std::uint64_t{1} << i);
    }
    mark(s_.problem.by_item.row(y), kHasItem);
    const QuadraticForm& form = s_.problem.form;
    for (const Index x : users_) {
      const std::uint64_t sources = sources_of_[at(x)];
      sources_of_[at(x)] = 0;
      if (!s_.is_asked(x)) continue;
      double weight = double{s_.weight[at(x)]} * form.items.weight[at(y)];
      if ((sources & kHasItem) != 0) {
        weight += double{form.users.curvature[at(x)]} * form.items.curvature[at(y)];
      }
      add_pairs(sources & ~kHasItem, weight, A);
    }
    A.diagonal() *= 1.0 + std::max(s_.options.ridge, kLeastRidge);
    return A;
  }

  void mark(std::span<const Index> users, std::uint64_t bit) {
    for (const Index x : users) {
      if (sources_of_[at(x)] == 0) users_.push_back(x);
      sources_of_[at(x)] |= bit;
    }
  }

  // Lower triangle.
  static void add_pairs(std::uint64_t sources, double weight, Small& A) {
    for (std::uint64_t rows = sources; rows != 0; rows &= rows - 1) {
      const int i = std::countr_zero(rows);
      for (std::uint64_t cols = sources; std::countr_zero(cols) <= i && cols != 0;
           cols &= cols - 1) {
        A(i, std::countr_zero(cols)) += weight;
      }
    }
  }

  Eigen::VectorXd slopes() const {
    Eigen::VectorXd g(static_cast<Eigen::Index>(chosen_.size()));
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      g[static_cast<Eigen::Index>(i)] = chosen_[i].slope;
    }
    return g;
  }

  const Setting& s_;
  std::vector<Tally> tallies_;             // per item
  std::vector<Index> touched_;             // the items with a tally for y
  std::vector<Candidate> chosen_;          //
  std::vector<std::uint64_t> sources_of_;  // per user; all 0 between items
  std::vector<Index> users_;               // those with a word that is not 0
};

// From the links to each item to those from each item.
Links by_source(const std::vector<std::vector<Link>>& links_to) {
  const auto N = static_cast<Index>(links_to.size());
  std::vector<Offset> offsets(links_to.size() + 1);
  for (const auto& links : links_to) {
    for (const Link& link : links) ++offsets[at(link.source) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Index> targets(at(offsets.back()));
  std::vector<float> values(at(offsets.back()));
  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  for (Index y = 0; y < N; ++y) {
    for (const Link& link : links_to[at(y)]) {
      const std::size_t place = at(next[at(link.source)]++);
      targets[place] = y;
      values[place] = link.value;
    }
  }
  return {.targets = {N, N, std::move(offsets), std::move(targets)}, .values = std::move(values)};
}

}  // namespace

Links fit_links(const Problem& problem, ConstMatrix P, ConstMatrix Q, const LinkOptions& options) {
  const QuadraticForm& form = problem.form;
  expect(form.users.interaction == 0.0 && form.items.interaction == 0.0,
         "links are fitted to losses without interaction");
  expect(options.count <= kMostLinks && options.count >= 1, "the number of links fits a word");
  const Setting setting(problem, P, Q, options);
  std::vector<std::vector<Link>> links_to(at(Q.rows));
  parallel_blocks(Q.rows, grain_for(Q.rows, 16, 256), [&](const Block& block) {
    LinkSolver solver(setting);
    for (Offset y = block.begin; y < block.end; ++y) {
      links_to[at(y)] = solver.links_to(static_cast<Index>(y));
    }
  });
  return by_source(links_to);
}

}  // namespace sqmax
