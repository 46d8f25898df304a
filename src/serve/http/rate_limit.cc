// RateLimit: buckets.
#include "serve/http/rate_limit.h"

#include <algorithm>

namespace sqmax::http {
namespace {

constexpr std::size_t kMostClients = 100000;

double seconds_between(RateLimit::Clock::time_point from, RateLimit::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

double RateLimit::take(const std::string& client, Clock::time_point now) {
  if (rate_ <= 0.0) return 0.0;
  const double size = std::max(1.0, rate_);
  const std::lock_guard lock(mutex_);
  if (buckets_.size() > kMostClients) forget_full_ones(now);
  Bucket& bucket = buckets_.try_emplace(client, Bucket{size, now}).first->second;
  bucket.left = std::min(size, bucket.left + rate_ * seconds_between(bucket.when, now));
  bucket.when = now;
  if (bucket.left < 1.0) return (1.0 - bucket.left) / rate_;
  bucket.left -= 1.0;
  return 0.0;
}

// A bucket that is full again is like one that never was.
void RateLimit::forget_full_ones(Clock::time_point now) {
  const double size = std::max(1.0, rate_);
  std::erase_if(buckets_, [&](const auto& each) {
    return each.second.left + rate_ * seconds_between(each.second.when, now) >= size;
  });
}

}  // namespace sqmax::http
