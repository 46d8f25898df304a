// RateLimit: how often one client may ask: a bucket each that fills steadily.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <unordered_map>

namespace sqmax::http {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// Requests a second and client, and as many at once; 0: any number.
  explicit RateLimit(double rate) : rate_(rate) {}
  /// 0 if the client may ask now, else the seconds to wait.
  double take(const std::string& client, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double left = 0.0;
    Clock::time_point when;
  };
  void forget_full_ones(Clock::time_point now);

  double rate_;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace sqmax::http
