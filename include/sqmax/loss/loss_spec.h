// LossSpec: what a loss is called, what can be set, and what it declares. One file per loss in
// src/loss/losses.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/quadratic_law.h"
#include "sqmax/core/settings.h"
#include "sqmax/loss/degrees.h"
#include "sqmax/loss/score_loss.h"

namespace sqmax {

/// How a trained model turns o_xy = p_x·q_y into the score that ranks.
enum class Scoring {
  InnerProduct,  ///< o_xy
  Prior,         ///< (N π_y)^blend (1 + o_xy), π the items' weight: the softmax, linearised
  Distance,      ///< 2 o_xy − |q_y|²: the order of −‖p_x − q_y‖²
};

struct LossSpec {
  std::string name;
  std::string title;
  std::string formula;
  std::vector<OptionSpec> options;
  /// A squared loss declares a law, a score loss its function of scores; one of the two is empty.
  std::function<QuadraticLaw(const Settings&, const Degrees&)> declare = {};
  std::function<ScoreLoss(const Settings&)> declare_scores = {};
  Scoring scoring = Scoring::InnerProduct;
  bool has_factors = true;  ///< false: nothing is learned but the prior
  /// Options with which observed pairs have no confidence of their own, so that the users' side
  /// alone is enough, whatever the other options are; empty: there are none.
  Settings separable = {};
  /// More of them, with which the minimum has a closed form.
  Settings closed_form = {};
  /// Settings beside the defaults that do well on data unlike those which the defaults suit best: a
  /// search begins with them.
  std::vector<Settings> starts = {};
  /// Of a score loss: how many epochs are usual, and how many without a better validation are
  /// enough. 0: sweeps as all others make them.
  int epochs = 0;
  int patience = 2;

  bool is_squared() const { return static_cast<bool>(declare); }
};

/// Every loss there is, by name.
std::span<const LossSpec> losses();

/// Throws Errc::BadOption with a sentence that lists the names.
const LossSpec& find_loss(std::string_view name);

}  // namespace sqmax
