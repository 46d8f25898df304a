// WideTransposer: two rounds of a counting sort, the first by the leading bits of the column.
#include "data/wide_transposer.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "sqmax/core/parallel.h"

namespace sqmax {
namespace {

constexpr Offset kBlocks = 16;    // of rows, that count and deal on their own
constexpr Index kLeastBits = 11;  // of the columns of a bucket: their counters take 16 kB
constexpr Index kBucketBits = 9;  // 512 places that are written to at a time

Index bits_within_bucket(Index cols) {
  const auto width = static_cast<Index>(std::bit_width(static_cast<std::uint32_t>(cols)));
  return std::max(kLeastBits, static_cast<Index>(width - kBucketBits));
}

// Numbers of the blocks within each bucket become the places where they begin to write.
std::vector<Offset> places_of(std::vector<std::vector<Offset>>& counts, std::size_t buckets) {
  std::vector<Offset> first(buckets + 1);
  Offset place = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    first[bucket] = place;
    for (auto& of_block : counts) place += std::exchange(of_block[bucket], place);
  }
  first[buckets] = place;
  return first;
}

// How many interactions each block of rows has in each bucket.
std::vector<std::vector<Offset>> counts_of(CsrView matrix, Index bits, Offset grain) {
  std::vector<std::vector<Offset>> counts(at((matrix.rows + grain - 1) / grain));
  parallel_blocks(matrix.rows, grain, [&](const Block& block) {
    std::vector<Offset> count(at((matrix.cols >> bits) + 1));
    for (const Index column : matrix.rows_between(block.begin, block.end)) {
      ++count[at(column >> bits)];
    }
    counts[at(block.number)] = std::move(count);
  });
  return counts;
}

// An entry is the row, and below it the bits by which columns of a bucket differ.
template <class Entry>
constexpr Entry bits_below(Index bits) {
  return static_cast<Entry>((Entry{1} << bits) - 1);
}

bool fits_32_bits(CsrView matrix, Index bits) {
  return std::bit_width(static_cast<std::uint64_t>(matrix.rows)) + bits <= 32;
}

// Writes the entries of every bucket, those of a block of rows from the place that `next` tells.
template <class Entry>
void deal(CsrView matrix, Index bits, Offset grain, std::vector<std::vector<Offset>>& next,
          std::span<Entry> entries) {
  const Entry below = bits_below<Entry>(bits);
  parallel_blocks(matrix.rows, grain, [&](const Block& block) {
    std::vector<Offset>& place = next[at(block.number)];
    for (Offset r = block.begin; r < block.end; ++r) {
      const Entry row = static_cast<Entry>(static_cast<Entry>(r) << bits);
      for (const Index column : matrix.row(static_cast<Index>(r))) {
        entries[at(place[at(column >> bits)]++)] = row | (static_cast<Entry>(column) & below);
      }
    }
  });
}

// The columns of one bucket: offsets[c], and indices from offsets[0] = place on.
template <class Entry>
void sort_bucket(std::span<const Entry> entries, Index bits, Offset place,
                 std::span<Offset> offsets, std::span<Index> indices) {
  const Entry below = bits_below<Entry>(bits);
  std::vector<Offset> next(offsets.size());
  for (const Entry entry : entries) ++next[entry & below];
  for (std::size_t c = 0; c < next.size(); ++c) {
    offsets[c] = place;
    place += std::exchange(next[c], place);
  }
  for (const Entry entry : entries) {
    indices[at(next[entry & below]++)] = static_cast<Index>(entry >> bits);
  }
}

}  // namespace

Csr WideTransposer::transpose(CsrView matrix) {
  const Index bits = bits_within_bucket(matrix.cols);
  return fits_32_bits(matrix, bits) ? by_entries<std::uint32_t>(matrix, bits)
                                    : by_entries<std::uint64_t>(matrix, bits);
}

template <class Entry>
Csr WideTransposer::by_entries(CsrView matrix, Index bits) {
  const Offset grain = std::max<Offset>(1, (matrix.rows + kBlocks - 1) / kBlocks);
  std::vector<std::vector<Offset>> counts = counts_of(matrix, bits, grain);
  const std::vector<Offset> first = places_of(counts, at((matrix.cols >> bits) + 1));
  const std::size_t count = at(first.back());
  if (memory_.size() < count * sizeof(Entry)) {
    memory_ = {};  // before the next one comes
    memory_ = LargeVector<std::byte>(count * sizeof(Entry));
  }
  const std::span<Entry> entries(reinterpret_cast<Entry*>(memory_.data()), count);
  deal(matrix, bits, grain, counts, entries);
  LargeVector<Offset> offsets(at(matrix.cols) + 1);
  LargeVector<Index> indices(count);
  parallel_blocks(static_cast<Offset>(first.size()) - 1, 1, [&](const Block& bucket) {
    const Offset place = first[at(bucket.begin)];
    const Offset column = bucket.begin << bits;
    const Offset columns = std::min<Offset>(matrix.cols - column, Offset{1} << bits);
    sort_bucket<Entry>(entries.subspan(at(place), at(first[at(bucket.end)] - place)), bits, place,
                       std::span(offsets).subspan(at(column), at(columns)), indices);
  });
  offsets.back() = first.back();
  return {matrix.cols, matrix.rows, std::move(offsets), std::move(indices)};
}

}  // namespace sqmax
