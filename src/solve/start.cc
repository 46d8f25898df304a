// Starts, shared by alternation and descent.
#include "solve/start.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr double kLength = 0.5;
constexpr double kShortLength = 0.1;  // of an alternation

}  // namespace

Matrix copy_of(ConstMatrix F) {
  Matrix copy(F.rows, F.cols);
  std::copy(F.values().begin(), F.values().end(), copy.values().begin());
  return copy;
}

Matrix random_start(Offset rows, Offset rank, std::uint64_t seed, double length, Offset first_row) {
  Matrix F(rows, rank);
  const double spread = length / std::sqrt(static_cast<double>(std::max<Offset>(rank, 1)));
  for (Offset r = 0; r < rows; ++r) {
    Random random(seed, Purpose::Start, static_cast<std::uint64_t>(first_row + r));
    for (float& value : F.row(r)) value = static_cast<float>(spread * random.normal());
  }
  return F;
}

Matrix start_of_items(Offset begin, Offset rows, Offset rank, std::uint64_t seed) {
  return random_start(rows, rank, seed, kShortLength, begin);
}

Matrix items_to_start(const Problem& problem, const SolveOptions& options) {
  if (options.start_items.rows > 0) return copy_of(options.start_items);
  return start_of_items(0, problem.form.items.size(), options.rank, options.seed);
}

Matrix start_of(Side side, const Problem& problem, const SolveOptions& options) {
  const ConstMatrix given = side == Side::Users ? options.start_users : options.start_items;
  if (given.rows > 0) return copy_of(given);
  const Offset items = problem.by_user.cols;
  if (side == Side::Items) return random_start(items, options.rank, options.seed, kLength);
  return random_start(problem.by_user.rows, options.rank, options.seed, kLength, items);
}

double relative_change(std::span<const float> before, std::span<const float> after) {
  double moved = 0.0;
  double length = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    moved += std::pow(double{after[i]} - before[i], 2);
    length += std::pow(double{after[i]}, 2);
  }
  return length > 0.0 ? std::sqrt(moved / length) : 0.0;
}

}  // namespace sqmax
