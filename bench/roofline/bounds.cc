// The peak loops on all threads at once, timed.
#include "roofline/bounds.h"

#include <algorithm>

#include "sqmax/core/parallel.h"

#include "core/stopwatch.h"
#include "roofline/machine.h"

namespace sqmax::bench {
namespace {

constexpr Offset kRounds = 500;                           // of multiply-adds in one task
constexpr std::size_t kLeastRead = std::size_t{8} << 20;  // bytes that one task reads, at least

}  // namespace

double rate(double work, double seconds, const std::function<void()>& run) {
  Offset calls = 0;
  const Stopwatch watch;
  do {
    run();
    ++calls;
  } while (watch.seconds() < seconds);
  return work * static_cast<double>(calls) / watch.seconds();
}

Bounds::Bounds(double seconds) : seconds_(seconds), threads_(thread_count()) {
  for (const Level& level : levels(threads_)) {
    std::vector<Matrix>& buffers = buffers_[level.name];
    for (int t = 0; t < threads_; ++t) {
      buffers.emplace_back(1, static_cast<Offset>(level.bytes / sizeof(float)));
      std::ranges::fill(buffers.back().values(), 1.0f);
    }
  }
}

double Bounds::best(const std::string& bound) const {
  return bound == "FMA" ? flops() : loads(bound);
}

// More tasks than threads, so that all are busy to the end.
double Bounds::flops() const {
  const Offset tasks = Offset{16} * threads_;
  const double work = static_cast<double>(tasks) * multiply_add_in_registers(kRounds);
  return rate(work, seconds_, [&] {
    parallel_blocks(tasks, 1, [&](const Block&) { multiply_add_in_registers(kRounds); });
  });
}

// Each thread reads a buffer of its own, small ones many times.
double Bounds::loads(const std::string& level) const {
  const auto& buffers = buffers_.at(level);
  const std::size_t bytes = buffers[0].values().size_bytes();
  const auto passes = static_cast<Offset>(std::max<std::size_t>(1, kLeastRead / bytes));
  std::vector<float> sums(buffers.size());
  const auto read = [&](const Block& block) {
    for (Offset pass = 0; pass < passes; ++pass) {
      sums[at(block.begin)] += sum(buffers[at(block.begin)].values());
    }
  };
  const double work = static_cast<double>(bytes) * static_cast<double>(passes) * threads_;
  return rate(work, seconds_, [&] { parallel_blocks(threads_, 1, read); });
}

}  // namespace sqmax::bench
