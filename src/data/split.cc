// Splits: block by block, every pair gets a label, and each label becomes a matrix.
#include "sqmax/data/split.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "sqmax/core/parallel.h"

#include "core/array_builder.h"
#include "core/fail.h"
#include "data/split_rows.h"
#include "data/time_cut.h"

namespace sqmax {
namespace {

constexpr Offset kUsersPerBlock = 2048;
constexpr Offset kPairsPerBlock = Offset{1} << 22;

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

/// Labels of the pairs of users [first, last).
struct LabelBlock {
  Index first;
  Index last;
  std::vector<Label> labels;
};

// Whole users, so many pairs that every thread has work and few enough to be small.
LabelBlock block_after(Index first, const Pairs& pairs) {
  const auto begin = pairs.offsets.begin() + first;
  const auto end = std::upper_bound(begin, pairs.offsets.end(), *begin + kPairsPerBlock);
  const auto users = std::max<std::ptrdiff_t>(end - begin - 1, 1);
  return {first, static_cast<Index>(first + users),
          std::vector<Label>(at(begin[users] - *begin), Label::Train)};
}

/// What holds for a whole block, whoever the user is.
class Labeller {
 public:
  Labeller(const Pairs& pairs, const SplitOptions& options) : pairs_(pairs), options_(options) {
    if (options.kind == SplitKind::Time) cut_ = time_cut(pairs, options.ratios);
  }

  void label(LabelBlock& block) const {
    parallel_blocks(block.last - block.first, kUsersPerBlock, [&](const Block& users) {
      RowSplitter splitter(options_);
      for (auto u = static_cast<Index>(users.begin); u < users.end; ++u) {
        label_row(block.first + u, splitter, row_of(block, block.first + u));
      }
    });
  }

 private:
  std::span<Label> row_of(LabelBlock& block, Index user) const {
    const Offset begin = pairs_.offsets[at(user)] - pairs_.offsets[at(block.first)];
    return std::span(block.labels).subspan(at(begin), at(pairs_.view().row_size(user)));
  }

  void label_row(Index user, RowSplitter& splitter, std::span<Label> labels) const {
    if (options_.kind == SplitKind::Time) {
      cut_.label(times_of(pairs_, user), pairs_.view().row(user), labels);
    } else if (options_.kind == SplitKind::Given) {
      const auto parts = sqmax::row_of(pairs_.parts.span(), pairs_, user);
      std::transform(parts.begin(), parts.end(), labels.begin(),
                     [](Part part) { return static_cast<Label>(part); });
    } else {
      splitter.label(user, times_of(pairs_, user), labels);
    }
  }

  const Pairs& pairs_;
  const SplitOptions& options_;
  TimeCut cut_;
};

/// The matrix of one label.
class PartColumns {
 public:
  PartColumns(Label label, const Workspace& workspace)
      : label_(label), offsets_(workspace), indices_(workspace) {
    offsets_.push_back(0);
  }

  void append(const LabelBlock& block, const Pairs& pairs) {
    const auto count = std::count(block.labels.begin(), block.labels.end(), label_);
    indices_.reserve_for(at(count), static_cast<double>(pairs.offsets[at(block.last)]),
                         static_cast<double>(pairs.size()));
    auto label = block.labels.begin();
    for (Index u = block.first; u < block.last; ++u) {
      for (const Index item : pairs.view().row(u)) {
        if (*label++ == label_) indices_.push_back(item);
      }
      offsets_.push_back(static_cast<Offset>(indices_.size()));
    }
  }

  Csr finish(Index rows, Index cols) { return {rows, cols, offsets_.finish(), indices_.finish()}; }

 private:
  Label label_;
  ArrayBuilder<Offset> offsets_;
  ArrayBuilder<Index> indices_;
};

Split all_train(const Pairs& pairs) {
  const Csr none = empty_csr(pairs.users, pairs.items);
  return {.train = {pairs.users, pairs.items, pairs.offsets, pairs.indices},
          .valid = none,
          .test = none,
          .history = none};
}

}  // namespace

Split split_pairs(Pairs&& pairs, const SplitOptions& options, const Workspace& workspace) {
  check_split(options);
  check_columns(pairs, options.kind);
  const Pairs taken = std::move(pairs);
  if (options.kind == SplitKind::None) return all_train(taken);
  const Labeller labeller(taken, options);
  std::array<PartColumns, 4> parts = {
      PartColumns(Label::Train, workspace), PartColumns(Label::Valid, workspace),
      PartColumns(Label::Test, workspace), PartColumns(Label::History, workspace)};
  Split split;
  for (Index next = 0; next < taken.users;) {
    LabelBlock block = block_after(next, taken);
    labeller.label(block);
    parallel_blocks(std::ssize(parts), 1,
                    [&](const Block& part) { parts[at(part.number)].append(block, taken); });
    split.dropped += std::count(block.labels.begin(), block.labels.end(), Label::Dropped);
    next = block.last;
  }
  split.train = parts[0].finish(taken.users, taken.items);
  split.valid = parts[1].finish(taken.users, taken.items);
  split.test = parts[2].finish(taken.users, taken.items);
  split.history = parts[3].finish(taken.users, taken.items);
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
