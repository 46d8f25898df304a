// ShareOfRows: a slot for every row that is touched.
#include "solve/pulls.h"

#include <algorithm>

#include "kernels/dense.h"

namespace sqmax {

std::size_t ShareOfRows::slot_of(Index row, std::span<Index> slots) {
  Index& slot = slots[at(row)];
  if (slot < 0) {
    slot = static_cast<Index>(rows_.size());
    rows_.push_back(row);
    extras_.push_back(0.0f);
    if (sums_.size() < rows_.size() * at(cols_)) sums_.resize(2 * rows_.size() * at(cols_));
    std::fill_n(sums_.begin() + static_cast<std::ptrdiff_t>(at(slot) * at(cols_)), cols_, 0.0f);
  }
  return at(slot);
}

void ShareOfRows::add(std::span<const Pull> pulls, Offset cols, std::span<Index> slots) {
  cols_ = cols;
  for (const Pull& pull : pulls) {
    const std::size_t slot = slot_of(pull.row, slots);
    if (pull.source == nullptr) {
      extras_[slot] += pull.slope;
    } else {
      kernels::axpy(pull.slope, {pull.source, at(cols)},
                    std::span(sums_).subspan(slot * at(cols), at(cols)));
    }
  }
}

void ShareOfRows::move(MovingSide& side, Offset now, std::span<Index> slots) {
  for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
    const auto sum = std::span(sums_).subspan(slot * at(cols_), at(cols_));
    side.move(rows_[slot], now, sum, extras_[slot]);
    slots[at(rows_[slot])] = -1;
  }
  rows_.clear();
  extras_.clear();
}

}  // namespace sqmax
