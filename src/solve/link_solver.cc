// LinkSolver: candidates by the gain of each alone, then all of them together.
#include "solve/link_solver.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Cholesky>

#include "kernels/dense.h"

namespace sqmax {
namespace {

constexpr std::uint64_t kHasItem = std::uint64_t{1} << kMostLinks;  // the user has y itself
constexpr double kLeastRidge = 1e-6;  // two items with the same users must not be a singular system

// A_ij += w for every two sources of one user; lower triangle.
void add_pairs(std::uint64_t sources, double weight, Small& A) {
  for (std::uint64_t rows = sources; rows != 0; rows &= rows - 1) {
    const int i = std::countr_zero(rows);
    for (std::uint64_t cols = sources; cols != 0 && std::countr_zero(cols) <= i; cols &= cols - 1) {
      A(i, std::countr_zero(cols)) += weight;
    }
  }
}

}  // namespace

LinkSolver::LinkSolver(const LinkSetting& setting)
    : s_(setting), tallies_(at(setting.Q.rows)), sources_of_(at(setting.P.rows)) {}

//   (A + κ diag A) b = g
std::vector<Link> LinkSolver::links_to(Index y) {
  tally(y);
  choose(y);
  if (chosen_.empty()) return {};
  const Eigen::VectorXd b = Eigen::LLT<Small, Eigen::Lower>(system(y)).solve(slopes());
  std::vector<Link> links;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const auto value = static_cast<float>(b[static_cast<Eigen::Index>(i)]);
    if (std::isfinite(value)) links.push_back({chosen_[i].source, value});
  }
  return links;
}

// Most items share a user with a popular y: then all are looked at, and none is listed.
void LinkSolver::tally(Index y) {
  const QuadraticForm& form = s_.problem.form;
  const CsrView by_user = s_.problem.by_user;
  Offset pairs = 0;
  for (const Index x : s_.problem.by_item.row(y)) pairs += s_.is_asked(x) ? by_user.row_size(x) : 0;
  const bool is_listed = pairs < by_user.cols;
  touched_.resize(is_listed ? 0 : at(by_user.cols));
  if (!is_listed) std::iota(touched_.begin(), touched_.end(), 0);
  for (const Index x : s_.problem.by_item.row(y)) {
    if (!s_.is_asked(x)) continue;
    const float curvature = form.users.curvature[at(x)] * form.items.curvature[at(y)];
    float slope = form.users.pull[at(x)] * form.items.pull[at(y)];
    if (curvature != 0.0f) slope -= curvature * kernels::dot(s_.P.row(x), s_.Q.row(y));
    const auto add = [&](Index z) {
      tallies_[at(z)].slope += slope;
      tallies_[at(z)].curvature += curvature;
    };
    if (is_listed) {
      for (const Index z : by_user.row(x)) {
        if (tallies_[at(z)].is_empty()) touched_.push_back(z);
        add(z);
      }
    } else {
      for (const Index z : by_user.row(x)) add(z);
    }
  }
}

// Sums over every user of z, not only those of y:  Σ_{x∋z} u_x o_xy = h_z · q_y.
void LinkSolver::choose(Index y) {
  const QuadraticForm& form = s_.problem.form;
  const double v = form.items.weight[at(y)];
  const double lean = form.target * form.items.lean[at(y)];
  chosen_.clear();
  for (const Index z : touched_) {
    const Tally tally = std::exchange(tallies_[at(z)], {});
    if (tally.is_empty()) continue;
    const double expected = v * double{kernels::dot(s_.h.row(z), s_.Q.row(y))};
    const double slope = tally.slope + lean * s_.lean_sum[at(z)] - expected;
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
// has.
Small LinkSolver::system(Index y) {
  users_.clear();
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    mark(s_.problem.by_item.row(chosen_[i].source), std::uint64_t{1} << i);
  }
  mark(s_.problem.by_item.row(y), kHasItem);

  const QuadraticForm& form = s_.problem.form;
  const auto count = static_cast<Eigen::Index>(chosen_.size());
  Small A = Small::Zero(count, count);
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

void LinkSolver::mark(std::span<const Index> users, std::uint64_t bit) {
  for (const Index x : users) {
    if (sources_of_[at(x)] == 0) users_.push_back(x);
    sources_of_[at(x)] |= bit;
  }
}

Eigen::VectorXd LinkSolver::slopes() const {
  Eigen::VectorXd g(static_cast<Eigen::Index>(chosen_.size()));
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    g[static_cast<Eigen::Index>(i)] = chosen_[i].slope;
  }
  return g;
}

}  // namespace sqmax
