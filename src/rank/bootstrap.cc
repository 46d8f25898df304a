// Percentile bootstrap: a random stream per resample, so threads do not matter.
#include "sqmax/rank/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr Offset kResamplesPerBlock = 8;

// means += the mean of as many rows as there are, drawn with replacement.
void resample(MatrixView<const double> values, Random random, std::span<double> means) {
  for (Offset draw = 0; draw < values.rows; ++draw) {
    const auto row = values.row(static_cast<Offset>(random.below(at(values.rows))));
    for (std::size_t m = 0; m < row.size(); ++m) means[m] += row[m];
  }
  for (double& mean : means) mean /= static_cast<double>(values.rows);
}

// Linear between the two nearest order statistics.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - std::floor(place));
}

void check(MatrixView<const double> values, const BootstrapOptions& options) {
  expect(values.rows > 0, "there are users to resample");
  if (options.resamples < 1) {
    fail(Errc::BadOption, "The number of bootstrap resamples, {}, is below 1.", options.resamples);
  }
  if (!(options.level > 0.0 && options.level < 1.0)) {
    fail(Errc::BadOption, "The confidence level, {}, is not between 0 and 1.", options.level);
  }
}

}  // namespace

std::vector<Interval> bootstrap_intervals(MatrixView<const double> values,
                                          const BootstrapOptions& options) {
  check(values, options);
  std::vector<double> means(at(options.resamples * values.cols));
  parallel_blocks(options.resamples, kResamplesPerBlock, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      resample(values, Random(options.seed, Purpose::Bootstrap, static_cast<std::uint64_t>(r)),
               std::span(means).subspan(at(r * values.cols), at(values.cols)));
    }
  });

  std::vector<Interval> intervals;
  std::vector<double> column(at(options.resamples));
  for (Offset m = 0; m < values.cols; ++m) {
    for (Offset r = 0; r < options.resamples; ++r) column[at(r)] = means[at(r * values.cols + m)];
    std::ranges::sort(column);
    const double tail = (1.0 - options.level) / 2.0;
    intervals.push_back({quantile(column, tail), quantile(column, 1.0 - tail)});
  }
  return intervals;
}

}  // namespace sqmax
