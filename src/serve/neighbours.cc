// Neighbours by exact top-k.
#include "sqmax/serve/neighbours.h"

#include <cmath>

#include "core/fail.h"
#include "kernels/dense.h"

namespace sqmax {
namespace {

double square(std::span<const float> f) { return double{kernels::dot(f, f)}; }

// 1/|f|, or 0.
std::vector<float> inverse_lengths(ConstMatrix F) {
  std::vector<float> inverse;
  inverse.reserve(at(F.rows));
  for (Offset r = 0; r < F.rows; ++r) {
    const double length = std::sqrt(square(F.row(r)));
    inverse.push_back(static_cast<float>(length > 0.0 ? 1.0 / length : 0.0));
  }
  return inverse;
}

//   cosine         f·g/(|f||g|)            scale 1/|f|, and 1/|g| afterwards
//   −‖f − g‖²      2 f·g − |f|² − |g|²     scale 2, bias −|f|², and −|g|² afterwards
ItemScorer scorer_for(ConstMatrix F, bool by_distance) {
  if (!by_distance) return ItemScorer(F, inverse_lengths(F));
  std::vector<float> bias;
  for (Offset r = 0; r < F.rows; ++r) bias.push_back(static_cast<float>(-square(F.row(r))));
  return ItemScorer(F, std::vector<float>(at(F.rows), 2.0f), bias);
}

ConstMatrix vectors_of(const Model& model, Side side) {
  if (model.Q.rank == 0) {
    fail(Errc::BadInput, "A model of the loss {} has no vectors to compare.", model.loss);
  }
  return side == Side::Items ? model.Q.view() : model.P.view();
}

}  // namespace

Neighbours::Neighbours(const Model& model, Side side)
    : by_distance_(model.by_distance), scorer_(scorer_for(vectors_of(model, side), by_distance_)) {}

std::vector<std::vector<Ranked>> Neighbours::of(
    ConstMatrix vectors, Index k, std::optional<std::span<const Index>> allowed) const {
  auto lists = top_k(scorer_, {.user_vectors = vectors, .k = k, .allowed = allowed});
  const std::vector<float> inverse = by_distance_ ? std::vector<float>() : inverse_lengths(vectors);
  for (std::size_t r = 0; r < lists.size(); ++r) {
    const auto own = static_cast<float>(square(vectors.row(static_cast<Offset>(r))));
    for (Ranked& ranked : lists[r]) {
      ranked.score = by_distance_ ? ranked.score - own : ranked.score * inverse[r];
    }
  }
  return lists;
}

}  // namespace sqmax
