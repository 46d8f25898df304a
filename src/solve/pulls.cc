// ShareOfRows: the pulls of a row next to each other.
//
//   gradient of a row = Σ slope · source, in the order in which the pulls were taken
//
// The sum stays in registers while its sources run past, so a row is written once.
#include "solve/pulls.h"

#include <algorithm>

namespace sqmax {
namespace {

constexpr std::size_t kRowsAhead = 4;     // rows that are fetched before their turn
constexpr std::size_t kSourcesAhead = 6;  // and sources

}  // namespace

void ShareOfRows::take(std::span<const Pull> pulls, std::span<Index> slots) {
  for (const Pull& pull : pulls) {
    const std::size_t slot = rows_.slot_of(pull.row, slots);
    if (slot == extras_.size()) extras_.push_back(0.0f);
    if (pull.source == nullptr) {
      extras_[slot] += pull.slope;
    } else {
      rows_.add(slot, {pull.source, pull.slope});
    }
  }
}

void ShareOfRows::fetch_after(const Groups::Group& row, Offset cols) const {
  const auto pulls = rows_.values();
  const std::size_t end = std::min(row.end + kSourcesAhead, pulls.size());
  for (std::size_t k = row.begin() + kSourcesAhead; k < end; ++k) {
    kernels::fetch(pulls[k].row, at(cols) * sizeof(float));
  }
}

void ShareOfRows::add_up(Offset cols) {
  rows_.order();
  const std::size_t size = rows_.groups().size() * at(cols);
  if (sums_.size() < size) sums_.resize(2 * size);
  float* sum = sums_.data();
  for (const auto& row : rows_.groups()) {
    fetch_after(row, cols);
    kernels::weighted_sum(rows_.values(row), {sum, at(cols)});
    sum += cols;
  }
}

template <class SumOf>
void ShareOfRows::move(MovingSide& side, Offset now, std::span<Index> slots, const SumOf& sum_of) {
  const auto rows = rows_.groups();
  for (std::size_t slot = 0; slot < rows.size(); ++slot) {
    if (slot + kRowsAhead < rows.size()) side.fetch(rows[slot + kRowsAhead].row);
    side.move(rows[slot].row, now, sum_of(slot), extras_[slot]);
  }
  rows_.clear(slots);
  extras_.clear();
}

void ShareOfRows::move(MovingSide& side, Offset now, std::span<Index> slots) {
  const std::size_t cols = at(side.vectors().cols);
  move(side, now, slots,
       [&](std::size_t slot) { return std::span(sums_).subspan(slot * cols, cols); });
}

void ShareOfRows::add_up_and_move(MovingSide& side, Offset now, std::span<Index> slots) {
  rows_.order();
  const std::size_t cols = at(side.vectors().cols);
  if (sums_.size() < cols) sums_.resize(cols);
  const auto sum = std::span(sums_).first(cols);
  move(side, now, slots, [&](std::size_t slot) {
    const auto& row = rows_.groups()[slot];
    fetch_after(row, side.vectors().cols);
    kernels::weighted_sum(rows_.values(row), sum);
    return sum;
  });
}

}  // namespace sqmax
