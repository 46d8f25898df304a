// lay_out(): steps along the gradient, which get shorter.
#include "serve/layout.h"

#include <algorithm>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr int kSteps = 400;
constexpr int kDrawn = 5;             // others that push a point away, each step
constexpr float kLongestPush = 4.0f;  // of one pair
constexpr float kGravity = 0.005f;    // keeps together what no neighbours connect
constexpr float kNearby = 1e-3f;      // keeps the push of points in one place finite
constexpr Offset kPointsPerBlock = 512;

Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
float square(Point d) { return d.x * d.x + d.y * d.y; }

void add(Point& sum, float factor, Point d) {
  sum.x += std::clamp(factor * d.x, -kLongestPush, kLongestPush);
  sum.y += std::clamp(factor * d.y, -kLongestPush, kLongestPush);
}

//   pull  −∂ log(1 + d²) = −2 d/(1 + d²),   push  −∂(log(1 + d²) − log d²) = 2 d/(d² (1 + d²))
Point force_on(Index i, std::span<const Point> points, std::span<const Index> neighbours,
               Random& random) {
  Point force{-kGravity * points[at(i)].x, -kGravity * points[at(i)].y};
  for (const Index j : neighbours) {
    const Point d = points[at(i)] - points[at(j)];
    add(force, -2.0f / (1.0f + square(d)) / static_cast<float>(neighbours.size()), d);
  }
  for (int drawn = 0; drawn < kDrawn; ++drawn) {
    const Point d = points[at(i)] - points[random.below(points.size())];
    add(force, 2.0f / ((kNearby + square(d)) * (1.0f + square(d))), d);
  }
  return force;
}

}  // namespace

std::vector<Point> lay_out(std::vector<Point> points, CsrView neighbours) {
  std::vector<Point> next(points.size());
  for (int step = 0; step < kSteps; ++step) {
    const float length = 1.0f - static_cast<float>(step) / kSteps;
    parallel_blocks(std::ssize(points), kPointsPerBlock, [&](const Block& block) {
      Random random(static_cast<std::uint64_t>(step), Purpose::Sample,
                    static_cast<std::uint64_t>(block.number));
      for (auto i = static_cast<Index>(block.begin); i < block.end; ++i) {
        const Point force = force_on(i, points, neighbours.row(i), random);
        next[at(i)] = {points[at(i)].x + length * force.x, points[at(i)].y + length * force.y};
      }
    });
    points.swap(next);
  }
  return points;
}

}  // namespace sqmax
