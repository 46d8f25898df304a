// Model: what was learned, with the ids, the histories and the declaration it was learned from.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sqmax/core/array.h"
#include "sqmax/core/matrix.h"
#include "sqmax/core/quadratic_law.h"
#include "sqmax/core/settings.h"
#include "sqmax/core/tensor_file.h"
#include "sqmax/data/csr.h"
#include "sqmax/data/id_table.h"
#include "sqmax/data/item_table.h"
#include "sqmax/model/links.h"

namespace sqmax {

enum class Side { Users, Items };

/// One vector per row; owned, or in a mapped file.
struct Factors {
  Index rows = 0;
  Index rank = 0;
  Array<float> values;

  ConstMatrix view() const { return {values.data(), rows, rank}; }
};

Factors to_factors(Matrix matrix);

struct Model {
  IdTable users;
  IdTable items;
  Factors P;                ///< users × rank
  Factors Q;                ///< items × rank
  Links links;              ///< between items, on top of the vectors; may be empty
  Csr seen;                 ///< what it was trained on, by user: never recommended again
  Array<float> user_extra;  ///< a boundary or margin of each row, if the loss has them
  Array<float> item_extra;
  ItemTable about_items;  ///< titles and more, for people; may be empty

  std::string loss;
  Settings options;          ///< of the loss, all of them
  QuadraticLaw law;          ///< what it minimised: enough to fold in anybody
  bool uses_prior = false;   ///< scores are (N π_y)^blend (1 + o), else o; o as in Links
  bool by_distance = false;  ///< scores are 2 o − |q_y|², in the order of −‖p_x − q_y‖²
  double blend = 0.0;        ///< τ'
  std::string story = "{}";  ///< JSON: data fingerprint, seed, solver, trials, metrics

  Index user_count() const { return P.rows; }
  Index item_count() const { return Q.rows; }
  /// Whether items have a bias, which takes one more coordinate than the rank.
  bool has_bias() const { return uses_prior || by_distance; }
};

/// How o becomes the score:  score_xy = scale_y · o_xy + bias_y,  o_xy = p_x·q_y + links of x's
/// items. Both are empty if scores are the o themselves.
struct ItemScaling {
  std::vector<float> scale;
  std::vector<float> bias;
};

ItemScaling item_scaling(const Model& model);

/// (N π_y)^blend, for items of these degrees whose prior is a law of them.
ItemScaling prior_scaling(const DegreeLaw& prior, double blend, std::span<const Index> degrees);

/// Links that add to scores instead of to o:  scale_y · b_zy.
Links scaled(const Links& links, std::span<const float> scale);

/// links.offsets, links.indices and links.values, if there are any; they must outlive the writer.
void store_links(TensorFileWriter& writer, const Links& links);

void save_model(const Model& model, const std::filesystem::path& path);

/// The arrays stay in the mapped file. Throws Errc::BadFile if it is not a sound model.
Model load_model(const std::filesystem::path& path);

}  // namespace sqmax
