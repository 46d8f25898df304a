// ItemMap: a first version, every item in the middle.
#include "sqmax/serve/item_map.h"
namespace sqmax {
ItemMap map_items(const Model& model, Index most) {
  ItemMap map;
  for (Index y = 0; y < std::min(most, model.item_count()); ++y) {
    map.items.push_back(y);
    map.x.push_back(0.f);
    map.y.push_back(0.f);
  }
  return map;
}
}  // namespace sqmax
