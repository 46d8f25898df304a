// ShareOfRows: a slot for every row that is touched, and its pulls next to each other.
//
//   gradient of a row = Σ slope · source, in the order in which the pulls were taken
//
// The sum stays in registers while its sources run past, so a row is written once.
#include "solve/pulls.h"

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

// A row with one pull of slope 1 by what stays needs no sum.
void ShareOfRows::add_up(Offset cols) {
  cols_ = cols;
  order_pulls();
  if (sums_.size() < rows_.size() * at(cols)) sums_.resize(2 * rows_.size() * at(cols));
  const std::span<const float* const> sources = sources_of_rows_;
  const std::span<const float> slopes = slopes_of_rows_;
  for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
    Row& row = rows_[slot];
    const std::size_t begin = row.end - row.pulls;
    if (sources_ == Sources::Stay && row.pulls == 1 && slopes[begin] == 1.0f) {
      row.gradient = sources[begin];
      continue;
    }
    for (std::size_t k = begin; k < row.end && k + kSourcesAhead < sources.size(); ++k) {
      kernels::fetch(sources[k + kSourcesAhead], at(cols) * sizeof(float));
    }
    kernels::weighted_sum(sources.subspan(begin, row.pulls), slopes.subspan(begin, row.pulls),
                          sum(slot));
    row.gradient = sum(slot).data();
  }
}

void ShareOfRows::move(MovingSide& side, Offset now, std::span<Index> slots) {
  for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
    if (slot + kRowsAhead < rows_.size()) side.fetch(rows_[slot + kRowsAhead].row);
    const Row& row = rows_[slot];
    side.move(row.row, now, {row.gradient, at(cols_)}, row.extra);
    slots[at(row.row)] = -1;
  }
  rows_.clear();
  taken_.clear();
}

}  // namespace sqmax
