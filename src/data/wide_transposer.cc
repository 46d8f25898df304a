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

}  // namespace

std::vector<Offset> WideTransposer::deal(CsrView matrix, Index bits) {
  const std::size_t buckets = at((matrix.cols >> bits) + 1);
  const Offset grain = std::max<Offset>(1, (matrix.rows + kBlocks - 1) / kBlocks);
  std::vector<std::vector<Offset>> counts(at((matrix.rows + grain - 1) / grain));
  parallel_blocks(matrix.rows, grain, [&](const Block& block) {
    std::vector<Offset> count(buckets);
    for (const Index column : matrix.rows_between(block.begin, block.end)) {
      ++count[at(column >> bits)];
    }
    counts[at(block.number)] = std::move(count);
  });
  std::vector<Offset> first = places_of(counts, buckets);
  if (entries_.size() < at(first.back())) {
    entries_ = {};  // before the next one comes
    entries_ = LargeVector<Entry>(at(first.back()));
  }
  parallel_blocks(matrix.rows, grain, [&](const Block& block) {
    std::vector<Offset>& next = counts[at(block.number)];
    for (Offset r = block.begin; r < block.end; ++r) {
      const auto row = static_cast<Index>(r);
      for (const Index column : matrix.row(row)) {
        entries_[at(next[at(column >> bits)]++)] = {row, column};
      }
    }
  });
  return first;
}

Csr WideTransposer::transpose(CsrView matrix) {
  const Index bits = bits_within_bucket(matrix.cols);
  const std::vector<Offset> first = deal(matrix, bits);
  LargeVector<Offset> offsets(at(matrix.cols) + 1);
  LargeVector<Index> indices(at(first.back()));
  parallel_blocks(static_cast<Offset>(first.size()) - 1, 1, [&](const Block& bucket) {
    const Offset begin = bucket.begin << bits;
    const Offset end = std::min<Offset>(matrix.cols, begin + (Offset{1} << bits));
    Offset place = first[at(bucket.begin)];
    const auto entries =
        std::span(entries_).subspan(at(place), at(first[at(bucket.begin) + 1] - place));
    std::vector<Offset> next(at(end - begin));
    for (const Entry& entry : entries) ++next[at(entry.column - begin)];
    for (Offset c = begin; c < end; ++c) {
      offsets[at(c)] = place;
      place += std::exchange(next[at(c - begin)], place);
    }
    for (const Entry& entry : entries) indices[at(next[at(entry.column - begin)]++)] = entry.row;
  });
  offsets.back() = first.back();
  return {matrix.cols, matrix.rows, std::move(offsets), std::move(indices)};
}

}  // namespace sqmax
