// What the bodies of the sparse products are given: rows of one panel.
#pragma once

#include <cstddef>

#include "kernels/sparse.h"

namespace sqmax::kernels {

/// The scale of a row; 1 if there are none.
inline float scale_of(std::span<const float> s, Offset r) { return s.empty() ? 1.0f : s[at(r)]; }

/// Where rows go that are multiplied again: into panels, scaled once more.
struct OnwardRows {
  std::byte* panel = nullptr;  ///< the first of those that a panel of X becomes
  Offset panels = 0;           ///< and how many these are; 0: rows go into a matrix
  Offset panel_cols = 0;
  Offset panel_bytes = 0;
  Offset row_bytes = 0;
  float unit = 1.0f;
  float* lean_sum = nullptr;  ///< Σ_r l_r z_r, for every column of the panel of X
};

struct GatheredRows {
  const Offset* offsets = nullptr;
  const Index* indices = nullptr;
  const Index* last = nullptr;  ///< the last index that may be read
  Offset begin = 0;             ///< rows
  Offset end = 0;
  const std::byte* panel = nullptr;
  const RowFinish* rule = nullptr;
  float unit = 1.0f;              ///< of the panel
  const float* centre = nullptr;  ///< of the panel's columns, zeros for those that Y has not
  MutableMatrix Y;
  Offset first_col = 0;  ///< of the panel in Y
  Offset cols = 0;       ///< of the panel that are in Y
  OnwardRows onward;

  /// What the sums of a row are multiplied by, and what the centre is.
  float factor(Offset r) const { return scale_of(rule->scale, r) / unit; }
  float lean(Offset r) const { return rule->lean.empty() ? 0.0f : rule->lean[at(r)]; }
  /// What a row is multiplied by on its way onward.
  float onward_factor(Offset r) const { return scale_of(rule->scale, r) * onward.unit; }
  /// Then a row without non-zeros stays as it is.
  bool adds_sums_alone() const { return rule->add && rule->lean.empty(); }
};

/// Sums of the rows over a panel of `panel_cols` columns.
void gather(const GatheredRows& rows, Offset panel_cols, Storage storage);

/// Whether the processor converts halves by itself.
bool has_halves();

/// in · factor as halves; `count` is a multiple of 16.
void to_halves(const float* in, float factor, std::size_t count, std::byte* out);

}  // namespace sqmax::kernels
