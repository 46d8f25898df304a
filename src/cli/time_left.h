// TimeLeft: how long the rest of a stage will take, by how fast the last of it went.
#pragma once

#include <deque>
#include <optional>
#include <string>

namespace sqmax::cli {

class TimeLeft {
 public:
  /// A share of the stage, 0 to 1, is done after so many seconds. Shares that fall begin anew.
  void hear(double seconds, double share);

  /// Seconds; nothing as long as too little is done to tell.
  std::optional<double> estimate() const;

 private:
  struct Point {
    double seconds;
    double share;
  };
  std::deque<Point> points_;  // the first of all, and those of late
};

/// "about 40 s left", rounded so that it does not say more than is known.
std::string time_left_text(double seconds);

}  // namespace sqmax::cli
