// Collector: local positions become global ones, in the order of the input.
#include "data/read/collector.h"

#include <algorithm>

#include "core/fail.h"

namespace sqmax {
namespace {

void append(const std::vector<Index>& local, const std::vector<Index>& numbers,
            ArrayBuilder<Index>& column) {
  for (const Index l : local) column.push_back(numbers[at(l)]);
}

}  // namespace

Collector::Collector(const ReadOptions& options, const OnProgress& on_progress, Offset stored_bytes,
                     const Workspace& workspace)
    : options_(options),
      on_progress_(on_progress),
      stored_bytes_(stored_bytes),
      workspace_(workspace),
      rows_(workspace),
      user_ids_(workspace),
      item_ids_(workspace) {}

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
  if (rows_.users.empty()) {
    ignores_times_ = !facts.has_time;
    return;
  }
  if (!part_ && rows_.parts.empty() == facts.has_split) {
    fail(Errc::BadInput, "{} {} a split column, unlike the files before it.", facts.file,
         facts.has_split ? "has" : "lacks");
  }
  if (facts.has_time == !ignores_times_) return;
  find("times-ignored", fmt::format("Times are ignored: {} {} them, unlike the files before it.",
                                    facts.file, facts.has_time ? "has" : "lacks"));
  ignores_times_ = true;
  rows_.times = ArrayBuilder<std::int64_t>(workspace_);
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
  const std::size_t rows = rows_.users.size();
  const auto users = user_ids_.numbers(block.user_ids, rows);
  const auto items = item_ids_.numbers(block.item_ids, rows);
  reserve_for(block.users.size());
  append(block.users, users, rows_.users);
  append(block.items, items, rows_.items);
  if (!ignores_times_) rows_.times.append(block.times);
  if (part_) {
    rows_.parts.append(block.users.size(), *part_);
  } else {
    rows_.parts.append(block.parts);
  }
}

// The share of bytes that is done says how many rows will come.
void Collector::reserve_for(std::size_t added) {
  const auto done = static_cast<double>(stored_bytes_ > 0 ? stored_bytes_taken_ : 0);
  const auto total = static_cast<double>(stored_bytes_);
  rows_.users.reserve_for(added, done, total);
  rows_.items.reserve_for(added, done, total);
  if (!ignores_times_) rows_.times.reserve_for(added, done, total);
}

void Collector::end(Offset stored_bytes) { stored_bytes_before_ += stored_bytes; }

void Collector::find(std::string kind, std::string sentence) {
  report_.findings.push_back({std::move(kind), std::move(sentence)});
}

ReadResult Collector::finish() {
  report_.read = static_cast<Offset>(rows_.users.size());
  report_.below_min_rating = dropped_[static_cast<std::size_t>(Drop::BelowMinRating)];
  if (report_.read == 0) fail_for_nothing_read();
  add_summary_findings();
  Interactions interactions = rows_.finish();
  interactions.user_ids = user_ids_.finish(interactions.users);
  interactions.item_ids = item_ids_.finish(interactions.items);
  return {std::move(interactions), std::move(report_)};
}

}  // namespace sqmax
