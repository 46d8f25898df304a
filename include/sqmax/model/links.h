// Links: what single items say about single other items, beyond their vectors.    docs/links.md
#pragma once

#include "sqmax/core/array.h"
#include "sqmax/data/csr.h"

namespace sqmax {

/// B, sparse and with an empty diagonal:  o_xy = p_x·q_y + Σ_{z∈I_x} b_zy,  I_x the history of x.
struct Links {
  Csr targets;          ///< N×N by source: row z names the items y that z speaks for
  Array<float> values;  ///< b_zy, parallel to the indices of `targets`

  bool empty() const { return values.empty(); }
};

}  // namespace sqmax
