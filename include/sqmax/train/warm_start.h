// WarmStart: a trained model's vectors, laid out for other data.       docs/solvers/fold-in.md
#pragma once

#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/data/dataset.h"
#include "sqmax/model/model.h"

namespace sqmax {

/// One side: a row for each of the dataset's ids.
struct WarmSide {
  Matrix vectors;            ///< the model's; of a new row, its fold-in among what the model knows
  std::vector<Index> known;  ///< rows that the model has, ascending
};

struct WarmStart {
  WarmSide users;
  WarmSide items;
};

/// Matches by id. What the dataset no longer has is left out. Throws Errc::BadInput if the model
/// was trained on what the dataset holds out: its vectors would know the answers.
WarmStart warm_start(const Model& model, const Dataset& dataset);

/// How far the known rows of one side went:  O the old ones, Δ = new − old, n of them.
struct Movement {
  double all = 0.0;      ///< ‖Δ‖ / ‖O‖
  double largest = 0.0;  ///< the largest ‖Δ_r‖ / (‖O‖/√n)
};

Movement movement(const WarmSide& start, ConstMatrix end);

}  // namespace sqmax
