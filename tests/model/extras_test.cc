// What only some losses have: scores by distance, and a number beside each vector.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/model/model.h"

#include "tests/support/error_of.h"
#include "tests/support/hostile_file.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

Model model_by_distance() {
  Model model{.users = table_of({"x", "z"}),
              .items = table_of({"a", "b", "c"}),
              .P = {2, 2, std::vector<float>{1, 2, -1, 0.5f}},
              .Q = {3, 2, std::vector<float>{1, 1, 0, -2, 3, 4}},
              .seen = empty_csr(2, 3)};
  model.loss = "cml";
  model.by_distance = true;
  return model;
}

//   2 p·q − |q|² = −‖p − q‖² + |p|²
TEST(ItemScaling, OfDistancesIsTheirDefinition) {
  const Model model = model_by_distance();
  const ItemScaling scaling = item_scaling(model);
  for (Offset x = 0; x < 2; ++x) {
    const auto p = model.P.view().row(x);
    for (Offset y = 0; y < 3; ++y) {
      const auto q = model.Q.view().row(y);
      const float o = p[0] * q[0] + p[1] * q[1];
      const float distance = (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
      EXPECT_FLOAT_EQ(scaling.scale[at(y)] * o + scaling.bias[at(y)],
                      p[0] * p[0] + p[1] * p[1] - distance);
    }
  }
}

TEST(ModelFile, ExtraNumbersAreOnePerRowOrNone) {
  const TemporaryFolder folder;
  for (const std::size_t count : {0, 1, 2, 3, 4}) {
    Model model = model_by_distance();
    model.item_extra = std::vector<float>(count);
    save_model(model, folder / "model");
    const bool is_sound = count == 0 || count == 3;
    EXPECT_EQ(error_of([&] { load_model(folder / "model"); }).empty(), is_sound) << count;
  }
}

}  // namespace
}  // namespace sqmax
