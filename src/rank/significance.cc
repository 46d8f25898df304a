// Sign-flip randomisation test, a random stream per round.
#include "sqmax/rank/significance.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr Offset kRoundsPerBlock = 16;
constexpr int kSignsPerDraw = 64;
// Sums that differ by rounding alone are equal: a flip that changes nothing must count.
constexpr double kRounding = 1.0 - 1e-12;

using Differences = MatrixView<const double>;  // users × metrics

std::vector<double> column_sums(Differences differences) {
  std::vector<double> sums(at(differences.cols));
  for (Offset u = 0; u < differences.rows; ++u) {
    std::ranges::transform(sums, differences.row(u), sums.begin(), std::plus<>());
  }
  return sums;
}

std::vector<double> flipped_sums(Differences differences, Random random) {
  std::vector<double> sums(at(differences.cols));
  std::uint64_t signs = 0;
  for (Offset u = 0; u < differences.rows; ++u) {
    signs = u % kSignsPerDraw == 0 ? random.bits() : signs >> 1;
    const double sign = (signs & 1) != 0 ? 1.0 : -1.0;
    const auto row = differences.row(u);
    for (std::size_t m = 0; m < row.size(); ++m) sums[m] += sign * row[m];
  }
  return sums;
}

std::vector<double> p_values(Differences differences, const ComparisonOptions& options) {
  const std::vector<double> observed = column_sums(differences);
  const std::vector<Offset> extreme = parallel_sum(
      options.rounds, kRoundsPerBlock, std::vector<Offset>(observed.size()),
      [&](const Block& block, std::vector<Offset>& counts) {
        for (Offset round = block.begin; round < block.end; ++round) {
          const auto row = static_cast<std::uint64_t>(round);
          const auto sums =
              flipped_sums(differences, Random(options.interval.seed, Purpose::Permutation, row));
          for (std::size_t m = 0; m < sums.size(); ++m) {
            if (std::abs(sums[m]) >= std::abs(observed[m]) * kRounding) ++counts[m];
          }
        }
      },
      [](std::vector<Offset>& total, const std::vector<Offset>& counts) {
        std::ranges::transform(total, counts, total.begin(), std::plus<>());
      });
  std::vector<double> p(extreme.size());
  std::ranges::transform(extreme, p.begin(), [&](Offset count) {
    return static_cast<double>(1 + count) / (1.0 + options.rounds);
  });
  return p;
}

}  // namespace

std::vector<PairedComparison> compare_paired(const Evaluation& a, const Evaluation& b,
                                             const ComparisonOptions& options) {
  if (a.users != b.users || a.user_metrics != b.user_metrics) {
    fail(Errc::BadInput, "Two evaluations of different users or metrics cannot be compared.");
  }
  if (options.rounds < 1) {
    fail(Errc::BadOption, "The number of randomisation rounds, {}, is below 1.", options.rounds);
  }
  std::vector<double> values(a.user_values.size());
  std::ranges::transform(b.user_values, a.user_values, values.begin(), std::minus<>());
  const Differences differences = {values.data(), a.values().rows, a.values().cols};

  const auto intervals = bootstrap_intervals(differences, options.interval);
  const auto sums = column_sums(differences);
  const auto p = p_values(differences, options);
  std::vector<PairedComparison> comparisons;
  for (std::size_t m = 0; m < a.user_metrics.size(); ++m) {
    comparisons.push_back({.metric = a.user_metrics[m],
                           .difference = sums[m] / static_cast<double>(a.user_count()),
                           .interval = intervals[m],
                           .p_value = p[m]});
  }
  return comparisons;
}

}  // namespace sqmax
