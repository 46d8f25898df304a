// EdgeData: interactions at the edge of what there can be, each with its name.
#pragma once

#include <string>
#include <vector>

#include "sqmax/data/csr.h"

namespace sqmax {

struct EdgeData {
  std::string name;
  Csr by_user;

  /// The largest rank that can mean anything.
  Index full_rank() const { return by_user.rows < by_user.cols ? by_user.rows : by_user.cols; }
};

std::vector<EdgeData> edge_data();

}  // namespace sqmax
