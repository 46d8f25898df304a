// Judge: nested samples of users, and who climbs.
#include "train/judge.h"

#include <algorithm>

#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr Index kFew = 1024;        // users, for choices within a trial
constexpr Index kFirstRung = 4096;  // users
constexpr Index kGrowth = 4;        // from rung to rung
constexpr std::size_t kShare = 4;   // the best quarter climbs

}  // namespace

Csr sample_users(CsrView held_out, Index count, std::uint64_t seed) {
  std::vector<Index> users = nonempty_rows(held_out);
  Random random(seed, Purpose::Sample);
  shuffle(users, random);
  if (users.size() > at(count)) users.resize(at(count));
  std::ranges::sort(users);
  std::vector<Offset> offsets = {0};
  std::vector<Index> items;
  auto next = users.begin();
  for (Index x = 0; x < held_out.rows; ++x) {
    if (next != users.end() && *next == x) {
      const auto row = held_out.row(x);
      items.insert(items.end(), row.begin(), row.end());
      ++next;
    }
    offsets.push_back(static_cast<Offset>(items.size()));
  }
  return {held_out.rows, held_out.cols, std::move(offsets), std::move(items)};
}

Judge::Judge(const Dataset& dataset, std::vector<Metric> metrics, std::uint64_t seed)
    : dataset_(dataset),
      metrics_(std::move(metrics)),
      few_(sample_users(dataset.valid, kFew, seed)) {
  const auto all = static_cast<Index>(nonempty_rows(dataset.valid).size());
  for (Index users = kFirstRung; users < all / 2; users *= kGrowth) {
    rungs_.push_back({.held_out = sample_users(dataset.valid, users, seed), .users = users});
  }
  rungs_.push_back({.held_out = dataset.valid, .users = all});
}

double Judge::glance(const Model& model) const {
  return measure_by(model, dataset_, Part::Valid, few(), {metrics_.data(), 1}).metrics.front().mean;
}

Judge::Verdict Judge::judge(const Model& model) {
  Verdict verdict;
  for (Rung& rung : rungs_) {
    verdict.valid = measure_by(model, dataset_, Part::Valid, rung.held_out, metrics_).metrics;
    verdict.users = rung.users;
    verdict.is_final = &rung == &rungs_.back();
    rung.values.push_back(verdict.valid.front().mean);
    verdict.rungs.push_back(rung.values.back());
    if (!is_promoted(rung)) break;
  }
  return verdict;
}

void Judge::remember(std::span<const double> rungs) {
  for (std::size_t i = 0; i < std::min(rungs.size(), rungs_.size()); ++i) {
    rungs_[i].values.push_back(rungs[i]);
  }
}

// Of the last one that came.
bool Judge::is_promoted(const Rung& rung) {
  const double value = rung.values.back();
  const auto better = std::ranges::count_if(rung.values, [value](double v) { return v > value; });
  return at(better) * kShare < rung.values.size();
}

}  // namespace sqmax
