// Splits: every pair gets a label, then each label becomes a matrix.
#include "sqmax/data/split.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/ranges.h>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "data/split_rows.h"

namespace sqmax {
namespace {

constexpr Offset kUsersPerBlock = 2048;

struct SplitName {
  SplitKind kind;
  std::string_view name;
};
constexpr std::array<SplitName, 7> kNames = {{{SplitKind::Ratio, "ratio"},
                                              {SplitKind::LeaveOneOut, "leave-one-out"},
                                              {SplitKind::UserTime, "user-time"},
                                              {SplitKind::Time, "time"},
                                              {SplitKind::Strong, "strong"},
                                              {SplitKind::Given, "given"},
                                              {SplitKind::None, "none"}}};

void check_columns(const Pairs& pairs, SplitKind kind) {
  const bool needs_time = kind == SplitKind::UserTime || kind == SplitKind::Time;
  if (needs_time && pairs.times.empty()) {
    fail(Errc::BadOption,
         "--split {} needs a time for every interaction; name its column by --time.",
         to_text(kind));
  }
  if (kind == SplitKind::Given && pairs.parts.empty()) {
    fail(Errc::BadOption,
         "--split given needs a part for every interaction: a column of the input, or one file for "
         "each part.");
  }
}

// The time of the last of the first `share` of all pairs.
std::int64_t time_at(std::vector<std::int64_t>& times, double share) {
  const auto count = static_cast<double>(times.size());
  const auto rank = std::clamp(std::floor(share * count + kShareSlack), 1.0, count) - 1.0;
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

void label_by_time(const Pairs& pairs, const SplitRatios& ratios, std::span<Label> labels) {
  std::vector<std::int64_t> times = pairs.times;
  const auto last_train = time_at(times, ratios.train);
  const auto last_valid = time_at(times, ratios.train + ratios.valid);
  const auto label_of = [=](std::int64_t time) {
    return time <= last_train ? Label::Train : time <= last_valid ? Label::Valid : Label::Test;
  };
  std::transform(pairs.times.begin(), pairs.times.end(), labels.begin(), label_of);
}

// Nothing can be said of a user or an item before it is seen: its later pairs are set aside.
Offset drop_untrained(const Pairs& pairs, std::span<Label> labels) {
  std::vector<bool> trained_items(at(pairs.items));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == Label::Train) trained_items[at(pairs.indices[i])] = true;
  }
  Offset dropped = 0;
  for (Index u = 0; u < pairs.users; ++u) {
    const auto row = row_of(labels, pairs, u);
    const auto items = pairs.view().row(u);
    const bool trained = std::find(row.begin(), row.end(), Label::Train) != row.end();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (trained && trained_items[at(items[i])]) continue;
      row[i] = Label::Dropped;
      ++dropped;
    }
  }
  return dropped;
}

void label_by_user(const Pairs& pairs, const SplitOptions& options, std::span<Label> labels) {
  parallel_blocks(pairs.users, kUsersPerBlock, [&](const Block& block) {
    RowSplitter splitter(options);
    for (auto u = static_cast<Index>(block.begin); u < block.end; ++u) {
      splitter.label(u, times_of(pairs, u), row_of(labels, pairs, u));
    }
  });
}

std::vector<Label> labels_of(const Pairs& pairs, const SplitOptions& options) {
  std::vector<Label> labels(pairs.indices.size(), Label::Train);
  if (options.kind == SplitKind::Time) {
    label_by_time(pairs, options.ratios, labels);
  } else if (options.kind == SplitKind::Given) {
    std::transform(pairs.parts.begin(), pairs.parts.end(), labels.begin(),
                   [](Part part) { return static_cast<Label>(part); });
  } else if (options.kind != SplitKind::None) {
    label_by_user(pairs, options, labels);
  }
  return labels;
}

Csr select(const Pairs& pairs, std::span<const Label> labels, Label wanted) {
  std::vector<Offset> offsets = {0};
  offsets.reserve(pairs.offsets.size());
  std::vector<Index> indices;
  indices.reserve(at(std::count(labels.begin(), labels.end(), wanted)));
  for (std::size_t u = 0; u + 1 < pairs.offsets.size(); ++u) {
    for (auto i = at(pairs.offsets[u]); i < at(pairs.offsets[u + 1]); ++i) {
      if (labels[i] == wanted) indices.push_back(pairs.indices[i]);
    }
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {pairs.users, pairs.items, std::move(offsets), std::move(indices)};
}

}  // namespace

Split split_pairs(Pairs&& pairs, const SplitOptions& options) {
  check_split(options);
  check_columns(pairs, options.kind);
  const Pairs taken = std::move(pairs);
  std::vector<Label> labels = labels_of(taken, options);
  Split split;
  if (options.kind == SplitKind::Time) split.dropped = drop_untrained(taken, labels);
  split.train = select(taken, labels, Label::Train);
  split.valid = select(taken, labels, Label::Valid);
  split.test = select(taken, labels, Label::Test);
  split.history = select(taken, labels, Label::History);
  return split;
}

void check_split(const SplitOptions& options) {
  const auto& [train, valid, test] = options.ratios;
  const bool shares = train > 0.0 && valid >= 0.0 && test >= 0.0;
  if (!shares || !(std::abs(train + valid + test - 1.0) < 1e-6)) {
    fail(Errc::BadOption,
         "--ratio must be three shares for train, valid and test that add up to 1, the first above "
         "0; {}, {}, {} are not.",
         train, valid, test);
  }
}

std::string_view to_text(SplitKind kind) {
  for (const SplitName& row : kNames) {
    if (row.kind == kind) return row.name;
  }
  throw std::logic_error("every SplitKind has a name");
}

SplitKind parse_split(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SplitName& row : kNames) {
    if (row.name == name) return row.kind;
    names.push_back(row.name);
  }
  fail(Errc::BadOption, "--split must be one of {}; '{}' is not.", fmt::join(names, ", "), name);
}

}  // namespace sqmax
