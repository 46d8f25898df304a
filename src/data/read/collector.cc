// Collector: local positions become global ones, in the order of the input.
#include "data/read/collector.h"

#include <algorithm>

#include "core/fail.h"

namespace sqmax {
namespace {

std::vector<Index> positions_of(const LocalIds& local, IdMap& global) {
  std::vector<Index> positions;
  positions.reserve(local.ids().size());
  for (const std::string_view id : local.ids()) positions.push_back(global.insert(id));
  return positions;
}

void append(const std::vector<Index>& local, const std::vector<Index>& positions,
            std::vector<Index>& column) {
  for (const Index l : local) column.push_back(positions[at(l)]);
}

}  // namespace

Collector::Collector(const ReadOptions& options, const OnProgress& on_progress, Offset stored_bytes)
    : options_(options), on_progress_(on_progress), stored_bytes_(stored_bytes) {}

void Collector::skip_empty_input(const std::string& file) {
  report_.files.push_back(file);
  find("empty-file", fmt::format("{} is empty.", file));
}

void Collector::begin(const InputFacts& facts) {
  report_.files.push_back(facts.file);
  if (report_.format.empty()) {
    report_.format = facts.format;
    report_.columns = facts.columns;
    report_.delimiter = facts.delimiter;
    report_.header = facts.header;
  }
  if (rating_column_.empty()) rating_column_ = facts.columns.rating;
  align_columns(facts);
  file_ = facts.file;
  line_ = facts.lines_before;
  report_.lines += facts.lines_before;
}

// A column is there for every row or for none.
void Collector::align_columns(const InputFacts& facts) {
  if (interactions_.users.empty()) {
    ignores_times_ = !facts.has_time;
    return;
  }
  if (!part_ && interactions_.parts.empty() == facts.has_split) {
    fail(Errc::BadInput, "{} {} a split column, unlike the files before it.", facts.file,
         facts.has_split ? "has" : "lacks");
  }
  if (facts.has_time == !ignores_times_) return;
  find("times-ignored", fmt::format("Times are ignored: {} {} them, unlike the files before it.",
                                    facts.file, facts.has_time ? "has" : "lacks"));
  ignores_times_ = true;
  interactions_.times = {};
}

void Collector::count(const RecordBlock& block) {
  for (const BadLineNote& note : block.first_bad_lines) {
    const Offset line = line_ + note.line + 1;
    if (!options_.skip_bad_lines) fail(Errc::BadInput, "{}:{}: {}.", file_, line, note.reason);
    if (report_.first_bad_lines.size() == kBadLinesKept) break;
    report_.first_bad_lines.push_back({file_, line, note.reason});
  }
  report_.bad_lines += block.bad_lines;
  report_.lines += block.lines;
  report_.bytes += block.bytes;
  line_ += block.lines;
  for (std::size_t reason = 0; reason < dropped_.size(); ++reason) {
    dropped_[reason] += block.dropped[reason];
  }
  ratings_.add(block.ratings);
  fractional_times_ += block.fractional_times;
  other_delimiter_lines_ += block.other_delimiter_lines;
  stored_bytes_taken_ = stored_bytes_before_ + block.stored_bytes_taken;
  const ProgressEvent event = {"reading", stored_bytes_taken_, stored_bytes_, file_};
  if (report(on_progress_, event) == Next::Stop) {
    fail(Errc::Io, "Reading {} was stopped before its end.", file_);
  }
}

void Collector::merge(const RecordBlock& block) {
  count(block);
  const auto users = positions_of(block.user_ids, interactions_.user_ids);
  const auto items = positions_of(block.item_ids, interactions_.item_ids);
  reserve_for(block.users.size());
  append(block.users, users, interactions_.users);
  append(block.items, items, interactions_.items);
  if (!ignores_times_) {
    interactions_.times.insert(interactions_.times.end(), block.times.begin(), block.times.end());
  }
  if (part_) {
    interactions_.parts.insert(interactions_.parts.end(), block.users.size(), *part_);
  } else {
    interactions_.parts.insert(interactions_.parts.end(), block.parts.begin(), block.parts.end());
  }
}

// Doubling would need three times the memory of a large input at its last step. The share of
// bytes that is done says how many rows will come; pages that stay unused cost nothing.
void Collector::reserve_for(std::size_t added) {
  const std::size_t needed = interactions_.users.size() + added;
  if (needed <= interactions_.users.capacity()) return;
  std::size_t rows = needed + needed / 4;
  if (stored_bytes_ > 0 && stored_bytes_taken_ > 0) {
    const double share =
        static_cast<double>(stored_bytes_taken_) / static_cast<double>(stored_bytes_);
    rows = std::max(rows, static_cast<std::size_t>(1.03 * static_cast<double>(needed) / share));
  }
  interactions_.users.reserve(rows);
  interactions_.items.reserve(rows);
  if (!ignores_times_) interactions_.times.reserve(rows);
}

void Collector::end(Offset stored_bytes) { stored_bytes_before_ += stored_bytes; }

void Collector::find(std::string kind, std::string sentence) {
  report_.findings.push_back({std::move(kind), std::move(sentence)});
}

ReadResult Collector::finish() {
  report_.read = interactions_.size();
  report_.below_min_rating = dropped_[static_cast<std::size_t>(Drop::BelowMinRating)];
  if (report_.read == 0) fail_for_nothing_read();
  add_summary_findings();
  return {std::move(interactions_), std::move(report_)};
}

}  // namespace sqmax
