// ShareOfRows: a slot for every row that is touched.
#include "solve/pulls.h"

#include <algorithm>

#include "kernels/dense.h"
#include "kernels/elementwise.h"

namespace sqmax {
namespace {

constexpr std::size_t kAhead = 2;  // rows that are fetched before their turn

}  // namespace

std::size_t ShareOfRows::new_slot(Index row, std::span<Index> slots) {
  const std::size_t slot = rows_.size();
  slots[at(row)] = static_cast<Index>(slot);
  rows_.push_back(row);
  extras_.push_back(0.0f);
  if (sums_.size() < rows_.size() * at(cols_)) sums_.resize(2 * rows_.size() * at(cols_));
  return slot;
}

// The first pull of a row takes the place of whatever the sum was.
void ShareOfRows::add(std::span<const Pull> pulls, Offset cols, std::span<Index> slots) {
  cols_ = cols;
  for (const Pull& pull : pulls) {
    const bool is_first = slots[at(pull.row)] < 0;
    const std::size_t slot = is_first ? new_slot(pull.row, slots) : at(slots[at(pull.row)]);
    const auto sum = std::span(sums_).subspan(slot * at(cols), at(cols));
    if (pull.source == nullptr) {
      extras_[slot] += pull.slope;
      if (is_first) std::ranges::fill(sum, 0.0f);
    } else if (is_first) {
      kernels::scaled(pull.slope, {pull.source, at(cols)}, sum);
    } else {
      kernels::axpy(pull.slope, {pull.source, at(cols)}, sum);
    }
  }
}

void ShareOfRows::move(MovingSide& side, Offset now, std::span<Index> slots) {
  for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
    if (slot + kAhead < rows_.size()) side.fetch(rows_[slot + kAhead]);
    const auto sum = std::span(sums_).subspan(slot * at(cols_), at(cols_));
    side.move(rows_[slot], now, sum, extras_[slot]);
    slots[at(rows_[slot])] = -1;
  }
  rows_.clear();
  extras_.clear();
}

}  // namespace sqmax
