// ItemScorer: packing of item vectors into panels.
#include "sqmax/rank/item_scorer.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "kernels/score_block.h"

namespace sqmax {
namespace {

constexpr std::align_val_t kCacheLine{64};

std::shared_ptr<float[]> aligned_floats(Offset count) {
  auto* floats = static_cast<float*>(::operator new[](at(count) * sizeof(float), kCacheLine));
  return {floats, [](float* kept) { ::operator delete[](kept, kCacheLine); }};
}

struct ItemVectors {
  ConstMatrix vectors;
  std::span<const float> scale;
  std::span<const float> bias;

  float scale_of(Offset item) const { return scale.empty() ? 1.0f : scale[at(item)]; }
  float bias_of(Offset item) const { return bias.empty() ? 0.0f : bias[at(item)]; }
};

// Lane j of the panel is item first + j; lanes past the last item are 0 with the bias −∞.
void pack_panel(const ItemVectors& items, Offset first, float* panel) {
  const Offset count = std::min<Offset>(kPanelItems, items.vectors.rows - first);
  std::fill_n(panel, kPanelItems, -std::numeric_limits<float>::infinity());
  std::fill_n(panel + kPanelItems, items.vectors.cols * kPanelItems, 0.0f);
  for (Offset j = 0; j < count; ++j) {
    const float scale = items.scale_of(first + j);
    const auto vector = items.vectors.row(first + j);
    panel[j] = items.bias_of(first + j);
    float* lane = panel + j;
    for (const float value : vector) *(lane += kPanelItems) = scale * value;
  }
}

}  // namespace

ItemScorer::ItemScorer(ConstMatrix items, std::span<const float> scale, std::span<const float> bias,
                       const Links& links)
    : items_(static_cast<Index>(items.rows)),
      rank_(static_cast<Index>(items.cols)),
      panels_((items_ + kPanelItems - 1) / kPanelItems),
      links_(scaled(links, scale)) {
  expect(items.rows <= std::numeric_limits<Index>::max() - kPanelItems, "an Index names each item");
  expect(scale.empty() || scale.size() == at(items.rows), "one scale per item, or none");
  expect(bias.empty() || bias.size() == at(items.rows), "one bias per item, or none");
  expect(links.empty() || links.targets.rows == items.rows, "links are between these items");
  const Offset panel_size = (1 + items.cols) * kPanelItems;
  const auto packed = aligned_floats(panels_ * panel_size);
  parallel_blocks(panels_, grain_for(panels_, 8), [&](const Block& block) {
    for (Offset panel = block.begin; panel < block.end; ++panel) {
      pack_panel({items, scale, bias}, panel * kPanelItems, packed.get() + panel * panel_size);
    }
  });
  packed_ = {packed, {packed.get(), at(panels_ * panel_size)}};
}

std::span<const float> ItemScorer::panel(Index number) const {
  const std::size_t size = (1 + at(rank_)) * at(kPanelItems);
  return packed_.span().subspan(at(number) * size, size);
}

ItemScorer scorer_of(const Model& model) {
  const ItemScaling scaling = item_scaling(model);
  return ItemScorer(model.Q.view(), scaling.scale, scaling.bias, model.links);
}

}  // namespace sqmax
