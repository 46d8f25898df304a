// Peak loops, compiled for the same instruction sets as the kernels and chosen in the same way.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "roofline/machine.cc"
#include <hwy/foreach_target.h>  // before highway.h
//
#include <algorithm>

#include <hwy/highway.h>
#include <unistd.h>

#include "roofline/machine.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::bench::HWY_NAMESPACE {
namespace {  // internal linkage: the linker must never merge two instruction sets

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Two units with a latency of four or five cycles want at least ten sums; sixteen registers hold
// twelve and the two operands.
constexpr int kSums = 12;
constexpr Offset kUnrolled = 64;

// s ← a s + b with |a| < 1 stays a normal number for ever.
HWY_ATTR double multiply_add_body(Offset rounds, float* result) {
  const D d;
  const V a = hn::Set(d, 0.5f);
  const V b = hn::Set(d, 1.0f);
  V s[kSums];
  for (int i = 0; i < kSums; ++i) s[i] = hn::Set(d, static_cast<float>(i));
  for (Offset r = 0; r < rounds * kUnrolled; ++r) {
    for (V& one : s) one = hn::MulAdd(one, a, b);
  }
  V total = s[0];
  for (int i = 1; i < kSums; ++i) total = hn::Add(total, s[i]);
  *result = hn::GetLane(hn::SumOfLanes(d, total));
  return 2.0 * kSums * static_cast<double>(kUnrolled * rounds) * static_cast<double>(hn::Lanes(d));
}

constexpr std::size_t kLoads = 8;

HWY_ATTR float sum_body(const float* HWY_RESTRICT x, std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  V s[kLoads];
  for (V& one : s) one = hn::Zero(d);
  for (; n >= kLoads * width; n -= kLoads * width, x += kLoads * width) {
    for (std::size_t i = 0; i < kLoads; ++i) s[i] = hn::Add(s[i], hn::LoadU(d, x + i * width));
  }
  for (std::size_t i = 1; i < kLoads; ++i) s[0] = hn::Add(s[0], s[i]);
  float total = hn::GetLane(hn::SumOfLanes(d, s[0]));
  for (std::size_t i = 0; i < n; ++i) total += x[i];
  return total;
}

}  // namespace
}  // namespace sqmax::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::bench {
namespace {

HWY_EXPORT(multiply_add_body);
HWY_EXPORT(sum_body);

std::size_t cache_bytes(int name, std::size_t usual) {
  const long known = sysconf(name);
  return known > 0 ? static_cast<std::size_t>(known) : usual;
}

}  // namespace

double multiply_add_in_registers(Offset rounds) {
  volatile float kept = 0.0f;  // the sums are wanted, as far as the compiler knows
  float result = 0.0f;
  const double operations = HWY_DYNAMIC_DISPATCH(multiply_add_body)(rounds, &result);
  kept = result;
  static_cast<void>(kept);
  return operations;
}

float sum(std::span<const float> values) {
  return HWY_DYNAMIC_DISPATCH(sum_body)(values.data(), values.size());
}

// L1 and L2 belong to a core, L3 and memory to all of them; of L3 others may hold a good part.
std::vector<Level> levels(int threads) {
  const auto share = static_cast<std::size_t>(std::max(threads, 1));
  const std::size_t l1 = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, std::size_t{1} << 15);
  const std::size_t l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, std::size_t{1} << 19);
  const std::size_t l3 = cache_bytes(_SC_LEVEL3_CACHE_SIZE, std::size_t{1} << 23);
  return {{"L1", l1 / 2},
          {"L2", l2 / 2},
          {"L3", std::max(2 * l2, l3 / 8 / share)},
          {"memory", 8 * l3 / share}};
}

}  // namespace sqmax::bench
#endif
