// climb(): the best place along one coordinate, by looking to both sides.
#pragma once

#include <functional>

namespace sqmax {

/// Steps from `start` to the better neighbour while there is one, then half as far, within
/// [low, high]. Of equal places the one nearest to where it was stays.
double climb(double start, double low, double high, const std::function<double(double)>& value);

}  // namespace sqmax
