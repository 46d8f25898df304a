// score_block(): scores of a block of users for one panel of items, and which beat a threshold.
#pragma once

#include <cstdint>

#include "sqmax/core/index.h"

namespace sqmax {

inline constexpr Index kPanelItems = 32;  ///< items of a panel, one lane each
inline constexpr Index kTileUsers = 4;    ///< users whose sums are in registers together

///   s_uj = f_uj ( b_j + d_uj + Σ_k p_uk q_jk )   k ascending, one rounding a step where the CPU
///                                                has FMA
///
/// so a score depends on its user and its item alone, not on the block they are in.
struct ScoreBlock {
  const float* users = nullptr;       ///< P, user_count × rank
  const float* panel = nullptr;       ///< (1 + rank) × kPanelItems: b, then a row per k
  const float* next = nullptr;        ///< the panel that will be scored after this one, or none
  const float* thresholds = nullptr;  ///< t, user_count
  const float* shift = nullptr;       ///< d, user_count × kPanelItems; nullptr: 0
  const float* factors = nullptr;     ///< f, user_count × kPanelItems; nullptr: 1
  Index user_count = 0;               ///< a multiple of kTileUsers
  Index rank = 0;
  float* scores = nullptr;  ///< user_count × kPanelItems; written where s > t, else undefined
  std::uint32_t* above = nullptr;  ///< user_count; bit j says s_uj > t_u, never for NaN
};

/// On the best instructions of this CPU.
void score_block(const ScoreBlock& block);

namespace reference {
/// The same by three plain loops.
void score_block(const ScoreBlock& block);
}  // namespace reference

}  // namespace sqmax
