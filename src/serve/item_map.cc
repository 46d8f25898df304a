// ItemMap: neighbours by likeness, a start by principal directions, then a layout.
#include "sqmax/serve/item_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Eigenvalues>

#include "sqmax/core/random.h"
#include "sqmax/serve/neighbours.h"

#include "kernels/dense.h"
#include "kernels/tall.h"
#include "serve/layout.h"
#include "solve/small.h"

namespace sqmax {
namespace {

constexpr Index kNeighbours = 10;
constexpr double kStartWidth = 10.0;  // standard deviation of where points begin
constexpr double kStartNoise = 0.1;   // so that no two begin in one place

std::vector<Index> most_popular(const Model& model, Index most) {
  const std::vector<Index> popularity = column_degrees(model.seen);
  std::vector<Index> items;
  for (Index y = 0; y < model.item_count(); ++y) {
    const auto q = model.Q.view().row(y);
    if (std::ranges::any_of(q, [](float value) { return value != 0.0f; })) items.push_back(y);
  }
  std::ranges::stable_sort(items, std::greater<>(), [&](Index y) { return popularity[at(y)]; });
  items.resize(std::min(items.size(), at(most)));
  return items;
}

// Directions alone, unless likeness is by distance.
Matrix vectors_of(const Model& model, std::span<const Index> items) {
  Matrix F(std::ssize(items), model.Q.rank);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto q = model.Q.view().row(items[i]);
    const double length = model.by_distance ? 1.0 : std::sqrt(double{kernels::dot(q, q)});
    std::ranges::transform(q, F.row(static_cast<Offset>(i)).begin(),
                           [length](float v) { return static_cast<float>(v / length); });
  }
  return F;
}

// i and j are neighbours if either is among those most like the other.
Csr neighbour_graph(const Matrix& F, bool by_distance) {
  Model part;
  part.by_distance = by_distance;
  part.Q = {.rows = static_cast<Index>(F.rows()),
            .rank = static_cast<Index>(F.cols()),
            .values = {nullptr, F.values()}};
  const auto lists = Neighbours(part, Side::Items).of(F, kNeighbours + 1);
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Index i = 0; i < std::ssize(lists); ++i) {
    const std::size_t begin = indices.size();
    for (const Ranked& other : lists[at(i)]) {
      if (other.item != i && indices.size() < begin + at(kNeighbours))
        indices.push_back(other.item);
    }
    std::sort(indices.begin() + static_cast<std::ptrdiff_t>(begin), indices.end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  const Csr chosen{part.Q.rows, part.Q.rows, std::move(offsets), std::move(indices)};
  return merge(chosen, transpose(chosen));
}

// Columns 0 and 1 are the leading eigenvectors of the covariance, made so long that the points'
// standard deviation along the first is kStartWidth; the largest entry of each is positive.
Matrix directions_of(const Matrix& F, std::span<const float> shares, std::span<const float> mean) {
  Small covariance = to_small(kernels::gram(F, shares));
  for (Offset a = 0; a < F.cols(); ++a) {
    for (Offset b = 0; b < F.cols(); ++b) covariance(a, b) -= double{mean[at(a)]} * mean[at(b)];
  }
  const Eigen::SelfAdjointEigenSolver<Small> solver(covariance);  // eigenvalues ascend
  const Offset K = F.cols();
  const double variance = std::max(solver.eigenvalues()(K - 1), 1e-12);
  Small directions = Small::Zero(K, 2);
  for (Offset c = 0; c < std::min<Offset>(2, K); ++c) {
    directions.col(c) = solver.eigenvectors().col(K - 1 - c);
    Eigen::Index largest = 0;
    directions.col(c).cwiseAbs().maxCoeff(&largest);
    directions.col(c) *= (directions(largest, c) < 0.0 ? -kStartWidth : kStartWidth);
  }
  return to_matrix(directions / std::sqrt(variance));
}

std::vector<Point> start_of(const Matrix& F) {
  const std::vector<float> shares(at(F.rows()), 1.0f / static_cast<float>(F.rows()));
  const auto mean = kernels::weighted_sum(F, shares);
  const Matrix directions = directions_of(F, shares, mean);
  const Matrix places = kernels::product(F, directions);
  const Matrix centre = kernels::product({mean.data(), 1, F.cols()}, directions);
  std::vector<Point> points;
  for (Offset i = 0; i < F.rows(); ++i) {
    Random random(0, Purpose::Start, static_cast<std::uint64_t>(i));
    const auto noise = [&random] { return static_cast<float>(kStartNoise * random.normal()); };
    points.push_back(
        {places(i, 0) - centre(0, 0) + noise(), places(i, 1) - centre(0, 1) + noise()});
  }
  return points;
}

// Nearly the identity up to 0.7, never past 1.
float bent(float u) { return u / std::pow(1.0f + std::pow(std::abs(u), 8.0f), 0.125f); }

// Nearly all points come to lie within 0.85 of the middle; the few far away bend towards the rim.
void place(std::span<const Point> points, ItemMap& map) {
  std::vector<float> sizes;
  double x = 0.0;
  double y = 0.0;
  for (const Point& point : points) {
    x += point.x / static_cast<double>(points.size());
    y += point.y / static_cast<double>(points.size());
  }
  for (const Point& point : points) {
    sizes.push_back(static_cast<float>(std::max(std::abs(point.x - x), std::abs(point.y - y))));
  }
  const auto outer = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() * 97 / 100);
  std::nth_element(sizes.begin(), outer, sizes.end());
  const double scale = 0.85 / std::max(double{*outer}, 1e-12);
  for (const Point& point : points) {
    map.x.push_back(bent(static_cast<float>(scale * (point.x - x))));
    map.y.push_back(bent(static_cast<float>(scale * (point.y - y))));
  }
}

}  // namespace

ItemMap map_items(const Model& model, Index most) {
  ItemMap map{.items = most_popular(model, most), .x = {}, .y = {}};
  if (map.items.empty()) return map;
  const Matrix F = vectors_of(model, map.items);
  place(lay_out(start_of(F), neighbour_graph(F, model.by_distance)), map);
  return map;
}

}  // namespace sqmax
