// Numbers of model files that are finite and still not sound: the file says them, so the file is
// named, and nothing that a server would answer is infinite.
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/model/in_memory.h"

#include "tests/support/error_of.h"
#include "tests/support/hostile_file.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Model model_with_a_prior() {
  Model model{.users = table_of({"x", "z"}),
              .items = table_of({"a", "b", "c"}),
              .P = {2, 2, std::vector<float>{1, 2, -1, 0.5f}},
              .Q = {3, 2, std::vector<float>{1, 1, 0, -2, 3, 4}},
              .links = {.targets = {3, 3, std::vector<Offset>{0, 1, 1, 1}, std::vector<Index>{1}},
                        .values = std::vector<float>{0.5f}},
              .seen = {2, 3, std::vector<Offset>{0, 2, 3}, std::vector<Index>{0, 1, 1}}};
  model.loss = "rgp";
  model.law.users.weight = power_of_degree(1.0, 0.5, 1.0);
  model.law.items.weight = power_of_degree(0.3, 0.75, 0.5);
  model.law.users.lean = model.law.users.weight;
  model.law.items.lean = model.law.items.weight;
  model.law.users.curvature = model.law.items.curvature = constant(1.0);
  model.law.target = -1.0;
  model.law.weighted_ridge = 0.1;
  model.uses_prior = true;
  model.blend = 0.6;
  return model;
}

using Change = std::function<void(Model&)>;

// Of both ways to load it, which must say the same.
std::string sentence_about(const Change& change) {
  const TemporaryFolder folder;
  const auto path = folder / "model.safetensors";
  Model model = model_with_a_prior();
  change(model);
  save_model(model, path);
  const std::string mapped = error_of([&] { load_model(path); });
  EXPECT_EQ(error_of([&] { load_model_in_memory(path); }), mapped);
  return mapped;
}

class UnsoundNumber : public testing::TestWithParam<Lie<Model>> {};

TEST_P(UnsoundNumber, IsRefusedByItsName) {
  EXPECT_THAT(sentence_about(GetParam().tell),
              AllOf(HasSubstr("model.safetensors"), HasSubstr(GetParam().about)));
}

const std::vector<Lie<Model>> kUnsound = {
    {"'blend'", [](Model& m) { m.blend = 1e300; }},
    {"'blend'", [](Model& m) { m.blend = -1e-3; }},
    {"'blend'", [](Model& m) { m.blend = 2.001; }},
    {"'users.interaction'", [](Model& m) { m.law.users.interaction = 1.5; }},
    {"'items.interaction'", [](Model& m) { m.law.items.interaction = -1e300; }},
    {"'weighted_ridge'", [](Model& m) { m.law.weighted_ridge = -1.0; }},
    {"'weighted_ridge'", [](Model& m) { m.law.weighted_ridge = 3e38; }},
    {"'target'", [](Model& m) { m.law.target = -1e39; }},
    {"'users.weight'", [](Model& m) { m.law.users.weight.scale = 1e300; }},
    {"'users.weight'", [](Model& m) { m.law.users.weight.scale = -1.0; }},
    {"'items.weight'", [](Model& m) { m.law.items.weight.power = -1e300; }},
    {"'users.lean'", [](Model& m) { m.law.users.lean.scale = -1e39; }},
    {"'items.curvature'", [](Model& m) { m.law.items.curvature = constant(-1e-3); }},
    {"'users.curvature'", [](Model& m) { m.law.users.curvature = constant(1e39); }},
    {"'items.pull'", [](Model& m) { m.law.items.pull = constant(-1e39); }},
    {"'users.ridge'", [](Model& m) { m.law.users.ridge = power_of_degree(1.0, -1.0, 0.0); }},
    {"'items.ridge'", [](Model& m) { m.law.items.ridge = constant(-1.0); }},
    // sound for a user without items alone, or for one with all of them
    {"'users.ridge'",
     [](Model& m) { m.law.users.ridge = {.scale = 1, .offset = 1, .slope = 1e30, .power = 2}; }},
    {"'users.pull'",
     [](Model& m) {
       m.law.users.pull = {.scale = 1, .offset = -4, .slope = 2, .power = -2, .floor = -9};
     }},
    {"the laws 'pull'",
     [](Model& m) {
       m.law.users.pull = constant(11.0);
       m.law.items.pull = constant(1e38);
     }},
    {"'items.weight' of its declaration makes an item",
     [](Model& m) { m.law.items.weight = m.law.items.lean = constant(1e20); }},
    {"'items.weight' of its declaration makes an item",
     [](Model& m) { m.law.items.weight = constant(1e-20); }},
    {"'user_vectors' sum to more",
     [](Model& m) {
       m.P.values = std::vector<float>{1e19f, 0, 1e19f, 1e19f};
     }},
    {"'item_vectors' sum to more",
     [](Model& m) { m.Q.values = std::vector<float>{0, 0, 0, 0, 3e19f, 4e19f}; }},
    {"'user_vectors' and 'item_vectors' can pass",
     [](Model& m) {
       m.law.items.weight.scale = 1e-5;
       m.blend = 0.0;
       m.P.values = std::vector<float>{1e18f, 0, 0, 0};
       m.Q.values = std::vector<float>{0, 0, 0, 0, 1e21f, 0};
     }},
    {"'links.values' can pass", [](Model& m) { m.links.values = std::vector<float>{-3e38f}; }},
    {"lengths whose squares", [](Model& m) {
       m.uses_prior = false;
       m.by_distance = true;
       m.law.items.weight = constant(0.0);
       m.Q.values = std::vector<float>{0, 0, 0, 0, 1e20f, 0};
     }}};
INSTANTIATE_TEST_SUITE_P(Model, UnsoundNumber, testing::ValuesIn(kUnsound));

TEST(SoundNumber, OfTheWholeRangeLoads) {
  const std::vector<Change> changes = {
      [](Model&) {}, [](Model& m) { m.blend = 2.0; }, [](Model& m) { m.blend = 0.0; },
      [](Model& m) { m.law.users.interaction = 1.0; }, [](Model& m) { m.law.weighted_ridge = 1e9; },
      [](Model& m) { m.law.users.ridge = constant(1e38); },
      // the pull of a sampled softmax ends at 0; popularity gives 0 to what nobody has
      [](Model& m) { m.law.users.pull = {.scale = 1, .offset = 1, .slope = -0.5, .power = 1}; },
      [](Model& m) { m.law.items.weight = power_of_degree(0.3, 1.0, 0.0); },
      [](Model& m) { m.law.items.lean = constant(-1e30); },
      [](Model& m) {
        m.P.values = std::vector<float>{1e15f, 0, 0, 0};
      }};
  for (const Change& change : changes) EXPECT_EQ(sentence_about(change), "");
}

}  // namespace
}  // namespace sqmax
