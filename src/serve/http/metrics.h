// Metrics: what the server did, as Prometheus reads it.                            docs/server.md
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace sqmax::http {

struct Route;

/// Called by many threads; nobody waits.
class Metrics {
 public:
  Metrics();

  /// A route that is null stands for every path that leads nowhere.
  void count(const Route* route, int status, double seconds);
  void count_swap() { ++swaps_; }
  void count_failed_swap() { ++failed_swaps_; }
  void count_events(std::size_t events) { events_ += events; }
  void model_loaded(std::chrono::system_clock::time_point when);
  std::atomic<int>& in_flight() { return in_flight_; }
  std::atomic<int>& connections() { return connections_; }

  std::string text() const;

 private:
  using Count = std::atomic<std::uint64_t>;
  static constexpr std::size_t kStatuses = 22;
  static constexpr std::size_t kBuckets = 14;
  struct OfRoute {
    std::array<Count, kStatuses> statuses = {};
    std::array<Count, kBuckets> buckets = {};
    Count microseconds = 0;
  };
  static const std::array<int, kStatuses>& statuses();
  static const std::array<double, kBuckets>& bounds();
  std::string requests_text() const;
  std::string seconds_text() const;
  std::string route_name(std::size_t position) const;

  std::size_t routes_;
  std::unique_ptr<OfRoute[]> of_route_;
  std::atomic<int> in_flight_ = 0;
  std::atomic<int> connections_ = 0;
  Count swaps_ = 0;
  Count failed_swaps_ = 0;
  Count events_ = 0;
  std::atomic<double> loaded_ = 0.0;
};

/// One request that is being answered.
class InFlight {
 public:
  explicit InFlight(Metrics& metrics) : count_(metrics.in_flight()) { ++count_; }
  ~InFlight() { --count_; }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  std::atomic<int>& count_;
};

}  // namespace sqmax::http
