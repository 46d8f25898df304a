// fit_links(): the strongest corrections between single items, given the vectors.  docs/links.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/model/links.h"
#include "sqmax/solve/solve.h"

namespace sqmax {

/// Users with longer histories are not asked: they have something to say about every pair.
inline constexpr Index kLongestHistory = 2048;

/// So many items may speak for one item: each is a bit of a machine word.
inline constexpr Index kMostLinks = 63;

struct LinkOptions {
  Index count = 20;    ///< m: how many items speak for an item, at most
  double ridge = 0.3;  ///< κ, relative to the curvature of each link
};

/// Minimises the loss over B, where o_xy = p_x·q_y + Σ_{z∈I_x} b_zy, each item y choosing at most m
/// sources z ≠ y and solving for them together. P and Q stay as they are. The form must have no
/// interaction.
///
/// O( Σ_x n_x² + pairs·K + N m³ ), pairs those of items that share a user.
///
/// `progress` hears of the items that are done; if it says stop, there are no links.
Links fit_links(const Problem& problem, ConstMatrix P, ConstMatrix Q, const LinkOptions& options,
                const OnProgress& progress = {});

}  // namespace sqmax
