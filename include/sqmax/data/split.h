// Splits: which pairs train, which validate, which test.       docs/evaluation.md
#pragma once

#include <cstdint>
#include <string_view>

#include "sqmax/data/csr.h"
#include "sqmax/data/filter.h"

namespace sqmax {

enum class SplitKind {
  Ratio,        ///< per user, at random
  LeaveOneOut,  ///< per user one for test and one for validation: the latest, or any without times
  UserTime,     ///< per user, the latest
  Time,         ///< one cut in time for everybody
  Strong,       ///< some users never train; most of their items are their history
  Given,        ///< as the input says
  None,         ///< everything trains
};

/// Shares of each user's items (Ratio, UserTime), of all pairs (Time) or of the users (Strong).
struct SplitRatios {
  double train = 0.8;
  double valid = 0.1;
  double test = 0.1;
};

struct SplitOptions {
  SplitKind kind = SplitKind::Ratio;
  SplitRatios ratios = {};
  std::uint64_t seed = 0;
};

struct Split {
  Csr train;
  Csr valid;
  Csr test;
  Csr history;
  Offset dropped = 0;  ///< held-out pairs whose user or item never trains (Time only)
};

/// Except for Time, what happens to a user's pairs depends on the seed, the user's position and
/// its pairs alone: other users may come or go. Throws Errc::BadOption.
Split split_pairs(Pairs&& pairs, const SplitOptions& options, const Workspace& workspace = {});

/// Throws Errc::BadOption if the ratios are no shares that leave something to train.
void check_split(const SplitOptions& options);

/// "ratio", "leave-one-out", "user-time", "time", "strong", "given", "none", and back.
std::string_view to_text(SplitKind kind);
SplitKind parse_split(std::string_view name);

}  // namespace sqmax
