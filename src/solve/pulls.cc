// ShareOfRows: a slot for every row that is touched, and its pulls next to each other.
//
//   gradient of a row = Σ slope · source, in the order in which the pulls were taken
//
// The sum stays in registers while its sources run past, so a row is written once.
#include "solve/pulls.h"

#include <algorithm>

#include "kernels/listed.h"

namespace sqmax {
namespace {

constexpr std::size_t kRowsAhead = 4;     // rows that are fetched before their turn
constexpr std::size_t kSourcesAhead = 6;  // and sources

}  // namespace

void ShareOfRows::take(std::span<const Pull> pulls, std::span<Index> slots) {
  for (const Pull& pull : pulls) {
    Index& slot = slots[at(pull.row)];
    if (slot < 0) {
      slot = static_cast<Index>(rows_.size());
      rows_.push_back({.row = pull.row});
    }
    Row& row = rows_[at(slot)];
    if (pull.source == nullptr) {
      row.extra += pull.slope;
    } else {
      ++row.pulls;
      taken_.push_back({pull.source, slot, pull.slope});
    }
  }
}

// A counting sort by slot, which keeps the order of a row's pulls.
void ShareOfRows::order_pulls() {
  std::uint32_t begin = 0;
  for (Row& row : rows_) {
    row.end = begin;
    begin += row.pulls;
  }
  sources_of_rows_.resize(taken_.size());
  slopes_of_rows_.resize(taken_.size());
  for (const Pull& pull : taken_) {
    const std::size_t place = rows_[at(pull.row)].end++;
    sources_of_rows_[place] = pull.source;
    slopes_of_rows_[place] = pull.slope;
  }
}

void ShareOfRows::add_up(const Row& row, std::span<float> sum) const {
  const std::size_t begin = row.end - row.pulls;
  kernels::weighted_sum(std::span(sources_of_rows_).subspan(begin, row.pulls),
                        std::span(slopes_of_rows_).subspan(begin, row.pulls), sum);
}

void ShareOfRows::fetch_after(const Row& row, Offset cols) const {
  const std::size_t end = std::min(row.end + kSourcesAhead, sources_of_rows_.size());
  for (std::size_t k = row.end - row.pulls + kSourcesAhead; k < end; ++k) {
    kernels::fetch(sources_of_rows_[k], at(cols) * sizeof(float));
  }
}

void ShareOfRows::add_up(Offset cols) {
  order_pulls();
  if (sums_.size() < rows_.size() * at(cols)) sums_.resize(2 * rows_.size() * at(cols));
  for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
    fetch_after(rows_[slot], cols);
    add_up(rows_[slot], std::span(sums_).subspan(slot * at(cols), at(cols)));
  }
}

template <class SumOf>
void ShareOfRows::move(MovingSide& side, Offset now, std::span<Index> slots, const SumOf& sum_of) {
  for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
    if (slot + kRowsAhead < rows_.size()) side.fetch(rows_[slot + kRowsAhead].row);
    const Row& row = rows_[slot];
    side.move(row.row, now, sum_of(slot), row.extra);
    slots[at(row.row)] = -1;
  }
  rows_.clear();
  taken_.clear();
}

void ShareOfRows::move(MovingSide& side, Offset now, std::span<Index> slots) {
  const std::size_t cols = at(side.vectors().cols);
  move(side, now, slots,
       [&](std::size_t slot) { return std::span(sums_).subspan(slot * cols, cols); });
}

// A row with one pull of slope 1 needs no sum.
void ShareOfRows::add_up_and_move(MovingSide& side, Offset now, std::span<Index> slots) {
  order_pulls();
  const std::size_t cols = at(side.vectors().cols);
  if (sums_.size() < cols) sums_.resize(cols);
  const auto sum = std::span(sums_).first(cols);
  move(side, now, slots, [&](std::size_t slot) -> std::span<const float> {
    const Row& row = rows_[slot];
    fetch_after(row, side.vectors().cols);
    const std::size_t first = row.end - row.pulls;
    if (row.pulls == 1 && slopes_of_rows_[first] == 1.0f) return {sources_of_rows_[first], cols};
    add_up(row, sum);
    return sum;
  });
}

}  // namespace sqmax
