// Estimates: sums of what is there at the same time, rounded up where sizes depend on the data.
#include "cli/memory_estimate.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sqmax/core/parallel.h"
#include "sqmax/loss/loss_spec.h"

#include "cli/memory_size.h"
#include "solve/matrix_parts.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;
constexpr std::int64_t kProgram = 40 * kMegabyte;      // code, libraries, tables of kernels
constexpr std::int64_t kOfEachThread = 8 * kMegabyte;  // stack, buffers, what its heap keeps
constexpr std::int64_t kRowBytes = 160;       // of a user or an item: weights, degrees, offsets
constexpr std::int64_t kBasisColumns = 640;   // of a decomposition, beside twice the rank
constexpr std::int64_t kBytesPerMetric = 40;  // of a user: values, and copies for intervals

std::int64_t text_bytes(const IdTable& texts) {
  return static_cast<std::int64_t>(texts.offsets.size() * sizeof(Offset) + texts.text.size());
}

std::int64_t data_bytes(const Dataset& data) {
  std::int64_t bytes = 0;
  for (const Csr* part : {&data.train, &data.valid, &data.test, &data.history}) {
    bytes += static_cast<std::int64_t>(part->offsets.size() * sizeof(Offset) +
                                       part->indices.size() * sizeof(Index));
  }
  for (const TextColumn& column : data.about_items.values) bytes += text_bytes(column);
  return bytes + text_bytes(data.users) + text_bytes(data.items);
}

// Vectors, their state in a solver, the best of a fit, and the best of a search.
std::int64_t copies_of_vectors(const TuneOptions& options, bool searches) {
  const bool is_squared = find_loss(options.fit.loss).is_squared();
  const std::int64_t solver = !is_squared || options.fit.solver == "adam" ? 6
                              : options.fit.solver == "newton-cg"         ? 10
                                                                          : 4;
  return solver + (searches ? 2 : 0);
}

bool may_have_links(const TuneOptions& options) {
  const auto& known = find_loss(options.fit.loss).options;
  const bool has_links = std::ranges::find(known, "links", &OptionSpec::name) != known.end();
  const auto given = options.fit.options.find("links");
  const bool none = given != options.fit.options.end() && given->second == SettingValue(0.0);
  return has_links && !none && options.fit.both_sides;
}

// Links: as many a row as the option says, twice while they are turned.
std::int64_t link_bytes(const Dataset& data, const TuneOptions& options) {
  constexpr std::int64_t most = 64;
  return may_have_links(options) ? data.item_count() * (24 + 16 * most) : 0;
}

// What each thread holds on its way: systems of a few rows, and what it counts for links. No part
// of what --memory decides by, since results must not depend on the number of threads.
std::int64_t thread_bytes(const Dataset& data, const TuneOptions& options, std::int64_t rank) {
  const std::int64_t rows = std::int64_t{data.user_count()} + data.item_count();
  return thread_count() * (64 * rank * rank + (may_have_links(options) ? 16 * rows : 0));
}

// Pairs of a step by samples: each has a copy of a vector, what is known of it, and what is known
// of each pull of an item, of which distances have two, and six where items pull each other; then
// all sums are made before the first of them moves. Lists have room to grow.
std::int64_t step_bytes(const Dataset& data, const TuneOptions& options) {
  constexpr std::int64_t pair = 116;
  constexpr std::int64_t pull = 104;
  const ScoreLoss loss = find_loss(options.fit.loss).declare_scores(options.fit.options);
  if (loss.is_full()) return 0;
  const std::int64_t vector = 4 * std::int64_t{options.fit.solve.rank};
  const std::int64_t pulls = loss.geometry == Geometry::InnerProduct ? 1
                             : loss.compares_items                   ? 6
                                                                     : 2;
  const std::int64_t item = pulls * pull + (loss.compares_items ? 2 * vector : 0);
  return pairs_of_step(loss, data.train.nnz()) *
         (pair + vector + (loss.sampling.negatives + 1) * item);
}

// The interactions by item; or, in passes, one part of them on its way, and what is kept of others.
std::int64_t other_side_bytes(const Dataset& data, const TuneOptions& options, bool searches) {
  const std::int64_t train = data.train.nnz();
  const std::int64_t valid = data.valid.nnz();
  const std::int64_t index = sizeof(Index);
  if (!find_loss(options.fit.loss).is_squared()) return 16 * train + step_bytes(data, options);
  if (!options.fit.both_sides) {
    const Offset part = std::min(train, MatrixParts::size(data.item_count()));
    return (index + MatrixParts::kBytes) * part +
           std::min(options.fit.solve.spare_memory, index * train);
  }
  // learned once more, a copy has training and validation together, by both sides
  return index * (train + (searches ? train + valid : 0)) + 8 * data.item_count();
}

// A start that is given, and which of its rows were known.
std::int64_t start_bytes(const SolveOptions& solve) {
  const std::int64_t rows = std::int64_t{solve.start_users.rows} + solve.start_items.rows;
  return rows * (4 * std::int64_t{solve.rank} + static_cast<std::int64_t>(sizeof(Index)));
}

}  // namespace

std::int64_t program_bytes() { return kProgram + kOfEachThread * thread_count(); }

MemoryEstimate training_estimate(const Dataset& data, const TuneOptions& options, bool searches) {
  const std::int64_t users = data.user_count();
  const std::int64_t items = data.item_count();
  MemoryEstimate estimate{.data = data_bytes(data)};
  estimate.bytes = program_bytes() + estimate.data + kRowBytes * (users + items) +
                   kBytesPerMetric * users * static_cast<std::int64_t>(options.metrics.size());
  const LossSpec& loss = find_loss(options.fit.loss);
  if (!loss.has_factors) return estimate;
  std::int64_t rank = options.fit.solve.rank;
  if (searches && options.search_rank) {
    estimate.at_first_rank = program_bytes() + estimate.data + bytes_made(data, options, searches) +
                             thread_bytes(data, options, rank);
    rank = std::max<std::int64_t>(rank, options.largest_rank);
  }
  const std::int64_t near = options.fit.both_sides ? std::min(users, items) : items;
  const std::int64_t passing = 64 * (options.fit.both_sides ? users + items : items);
  const std::int64_t basis = loss.is_squared() ? near * (2 * rank + kBasisColumns) + passing : 0;
  estimate.bytes += 4 * ((users + items) * rank * copies_of_vectors(options, searches) + basis) +
                    other_side_bytes(data, options, searches) + link_bytes(data, options) +
                    start_bytes(options.fit.solve) + thread_bytes(data, options, rank);
  return estimate;
}

std::int64_t bytes_made(const Dataset& data, TuneOptions options, bool searches) {
  options.search_rank = false;
  const MemoryEstimate estimate = training_estimate(data, options, searches);
  const bool has_factors = find_loss(options.fit.loss).has_factors;
  const std::int64_t rank = options.fit.solve.rank;
  const std::int64_t of_threads = has_factors ? thread_bytes(data, options, rank) : 0;
  return estimate.bytes - estimate.data - program_bytes() - of_threads;
}

std::int64_t model_bytes(const Dataset& data, const TuneOptions& options) {
  const std::int64_t rows = std::int64_t{data.user_count()} + data.item_count();
  const std::int64_t first = options.fit.solve.rank;
  const std::int64_t rank =
      options.search_rank ? std::max<std::int64_t>(first, options.largest_rank) : first;
  return 4 * rows * rank + link_bytes(data, options);
}

MemoryEstimate with_table(const Dataset& data, std::int64_t bytes) {
  const std::int64_t all = data_bytes(data);
  return {.bytes = program_bytes() + all + kRowBytes * data.item_count() + bytes, .data = all};
}

MemoryEstimate with_mapped(MemoryEstimate estimate, const std::string& path) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  if (unknown) return estimate;
  const auto bytes = static_cast<std::int64_t>(size);
  estimate.bytes += bytes;
  estimate.data += bytes;
  if (estimate.at_first_rank > 0) estimate.at_first_rank += bytes;
  return estimate;
}

MemoryEstimate larger(const MemoryEstimate& a, const MemoryEstimate& b) {
  return {.bytes = std::max(a.bytes, b.bytes), .data = std::max(a.data, b.data)};
}

void tell(const MemoryEstimate& estimate, Session& session, std::string_view purpose) {
  const std::string data =
      estimate.data > 0 ? fmt::format(", {} of it the data", memory_text(estimate.data)) : "";
  const bool may_grow = 0 < estimate.at_first_rank && estimate.at_first_rank < estimate.bytes;
  const std::string first =
      may_grow ? fmt::format("; {} unless larger ranks pay", memory_text(estimate.at_first_rank))
               : "";
  session.say(
      fmt::format("memory: up to {}{}{}{}", memory_text(estimate.bytes), purpose, data, first));
}

Json to_json(const MemoryEstimate& estimate) {
  return {{"estimate_bytes", estimate.bytes}, {"data_bytes", estimate.data}};
}

}  // namespace sqmax::cli
