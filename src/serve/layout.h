// lay_out(): points of a plane moved until neighbours are near and others are not. docs/serving.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/data/csr.h"

namespace sqmax {

struct Point {
  float x = 0.0f;
  float y = 0.0f;
};

/// Descends from `start`, with q = 1/(1 + d²) of two points at the distance d,
///
///   − mean_{j∈N_i} log q_ij − Σ_{j drawn} log(1 − q_ij) + g/2 |y_i|²        for every point y_i,
///
/// all points at once, so that threads make no difference. N is `neighbours`, one row per point.
std::vector<Point> lay_out(std::vector<Point> start, CsrView neighbours);

}  // namespace sqmax
