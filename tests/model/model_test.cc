// Model files: a round trip, every lie that such a file could tell, and how scores are scaled.
#include "sqmax/model/model.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/error_of.h"
#include "tests/support/hostile_file.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::ElementsAreArray;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

Model sample() {
  Model model{
      .users = table_of({"Anna", "Жанна", ""}),
      .items = table_of({"a", "b", "c", "d"}),
      .P = {3, 2, std::vector<float>{1, 2, 3, 4, 5, 6.5}},
      .Q = {4, 2, std::vector<float>{-1, 0, 1, 2, 3, 0.1f, 5, 6}},
      .links = {.targets = {4, 4, std::vector<Offset>{0, 2, 2, 2, 3}, std::vector<Index>{1, 3, 0}},
                .values = std::vector<float>{0.5f, -1, 2}},
      .seen = {3, 4, std::vector<Offset>{0, 2, 3, 3}, std::vector<Index>{0, 3, 1}}};
  model.loss = "rgp";
  model.options = {{"lambda", 0.1}, {"ridge", std::string("plain")}};
  model.law.users.weight = power_of_degree(0.1, 0.7, 1.0);
  model.law.items.weight = power_of_degree(1.0 / 3.0, 0.75, 0.5);
  model.law.users.curvature = constant(1e-300);
  model.law.users.ridge = {.scale = 1, .offset = 2, .slope = 3, .power = 4, .floor = 5};
  model.law.target = -1.0;
  model.law.weighted_ridge = 0.1;
  model.uses_prior = true;
  model.blend = 1.0 / 3.0;
  model.story = R"({"seed":7})";
  return model;
}

TEST(ModelFile, ReadsBackWhatWasSaved) {
  const TemporaryFolder folder;
  const auto path = folder / "model.safetensors";
  const Model saved = sample();
  save_model(saved, path);
  const Model loaded = load_model(path);
  EXPECT_THAT(loaded.P.values.span(), ElementsAreArray(saved.P.values.span()));
  EXPECT_THAT(loaded.Q.values.span(), ElementsAreArray(saved.Q.values.span()));
  EXPECT_EQ(loaded.P.rank, 2);
  EXPECT_EQ(loaded.user_count(), 3);
  EXPECT_EQ(loaded.item_count(), 4);
  EXPECT_THAT(loaded.seen.offsets.span(), ElementsAreArray(saved.seen.offsets.span()));
  EXPECT_THAT(loaded.seen.indices.span(), ElementsAreArray(saved.seen.indices.span()));
  EXPECT_EQ(loaded.seen.cols, 4);
  EXPECT_THAT(loaded.links.values.span(), ElementsAreArray(saved.links.values.span()));
  EXPECT_THAT(loaded.links.targets.indices.span(),
              ElementsAreArray(saved.links.targets.indices.span()));
  EXPECT_EQ(loaded.users[1], "Жанна");
  EXPECT_EQ(loaded.users[2], "");
  EXPECT_EQ(loaded.items[3], "d");
  EXPECT_EQ(loaded.loss, saved.loss);
  EXPECT_EQ(loaded.options, saved.options);
  EXPECT_EQ(loaded.law, saved.law);  // to the last bit: folding in must be exact
  EXPECT_EQ(loaded.uses_prior, saved.uses_prior);
  EXPECT_EQ(loaded.blend, saved.blend);
  EXPECT_EQ(loaded.story, saved.story);
}

TEST(ModelFile, TheSameModelIsTheSameBytes) {
  const TemporaryFolder folder;
  save_model(sample(), folder / "a");
  save_model(load_model(folder / "a"), folder / "b");
  std::ifstream a(folder / "a", std::ios::binary);
  std::ifstream b(folder / "b", std::ios::binary);
  EXPECT_TRUE(std::equal(std::istreambuf_iterator<char>(a), {}, std::istreambuf_iterator<char>(b),
                         std::istreambuf_iterator<char>()));
}

TEST(ModelFile, AModelOutlivesItsFile) {
  Model model;
  {
    const TemporaryFolder folder;
    save_model(sample(), folder / "a");
    model = load_model(folder / "a");
  }
  EXPECT_EQ(model.P.view()(2, 1), 6.5f);
  EXPECT_EQ(model.items[0], "a");
}

TEST(ModelFile, ModelsWithoutVectorsOrRowsAreSound) {
  const TemporaryFolder folder;
  Model model = sample();
  model.P = {3, 0, {}};
  model.Q = {4, 0, {}};
  save_model(model, folder / "a");
  EXPECT_EQ(load_model(folder / "a").Q.rank, 0);
  save_model({}, folder / "b");
  EXPECT_EQ(load_model(folder / "b").user_count(), 0);
  EXPECT_TRUE(load_model(folder / "b").links.empty());
}

class ModelLie : public testing::TestWithParam<Lie<Model>> {};

TEST_P(ModelLie, IsNoticed) {
  const TemporaryFolder folder;
  const auto path = folder / "model.safetensors";
  Model model = sample();
  GetParam().tell(model);
  save_model(model, path);
  EXPECT_THAT(error_of([&] { load_model(path); }),
              AllOf(HasSubstr("model.safetensors"), HasSubstr(GetParam().about)));
}

using Floats = std::vector<float>;

const std::vector<Lie<Model>> kLies = {
    {"'user_vectors'",
     [](Model& m) {
       m.P = {2, 2, Floats(4)};
     }},
    {"'item_vectors'",
     [](Model& m) {
       m.Q = {5, 2, Floats(10)};
     }},
    {"different sizes",
     [](Model& m) {
       m.Q = {4, 3, Floats(12)};
     }},
    {"not finite",
     [](Model& m) {
       m.links.values = Floats{1, NAN, 2};
     }},
    {"'user_vectors' has a value that is not finite",
     [](Model& m) { m.P.values = Floats{1, 2, 3, INFINITY, 5, 6}; }},
    {"'item_vectors' has a value that is not finite",
     [](Model& m) { m.Q.values = Floats{1, 2, 3, 4, 5, 6, 7, NAN}; }},
    {"'user_extra' has a value that is not finite",
     [](Model& m) {
       m.user_extra = Floats{1, -INFINITY, 3};
     }},
    {"'item_extra' does not have a value", [](Model& m) { m.item_extra = Floats{1}; }},
    {"'user_vectors' has longer rows",
     [](Model& m) {
       m.users = table_of({});
       m.seen = {0, 4, std::vector<Offset>{0}, {}};
       m.P = {0, 1 << 20, {}};
     }},
    {"users is not UTF-8",
     [](Model& m) {
       m.users = table_of({"a", "b", "\xc0\xaf"});
     }},
    {"'links'",
     [](Model& m) {
       m.links.targets.offsets = std::vector<Offset>{0, 2, 3};
     }},
    {"'links'",
     [](Model& m) {
       m.links.targets.indices = std::vector<Index>{1, 4, 0};
     }},
    {"users", [](Model& m) { m.users = table_of({"x"}); }},
    {"'seen'",
     [](Model& m) {
       m.seen.offsets = std::vector<Offset>{0, 2, 3};
     }},
    {"'seen'",
     [](Model& m) {
       m.seen.offsets = std::vector<Offset>{0, 4, 3, 3};
     }},
    {"'seen'",
     [](Model& m) {
       m.seen.indices = std::vector<Index>{0, 4, 1};
     }},
    {"'seen'",
     [](Model& m) {
       m.seen.indices = std::vector<Index>{-1, 3, 1};
     }},
    {"'seen'",
     [](Model& m) {
       m.seen.indices = std::vector<Index>{3, 0, 1};
     }},
    {"'seen'",
     [](Model& m) {
       m.seen.indices = std::vector<Index>{3, 3, 1};
     }},
    {"items",
     [](Model& m) {
       m.items.offsets = std::vector<Offset>{0, 1, 2, 3, 9};
     }},
    {"'story' is not JSON", [](Model& m) { m.story = "{"; }},
    {"goes too deep",
     [](Model& m) { m.story = std::string(100000, '[') + std::string(100000, ']'); }},
    {"declaration", [](Model& m) { m.blend = std::nan(""); }},
    {"declaration", [](Model& m) { m.law.target = std::nan(""); }},
    {"declaration",
     [](Model& m) { m.law.users.weight.scale = std::numeric_limits<double>::infinity(); }}};
INSTANTIATE_TEST_SUITE_P(Model, ModelLie, testing::ValuesIn(kLies));

// The same file with another declaration.
Model with_declaration(const TensorFile& file, const std::string& declaration) {
  const TemporaryFolder folder;
  const auto path = folder / "model.safetensors";
  TensorFileWriter writer("model");
  writer.set("story", "{}");
  writer.set("declaration", declaration);
  copy_tensors(file, writer);
  writer.write(path);
  return load_model(path);
}

std::string error_of_declaration(const TensorFile& file, const std::string& declaration) {
  return error_of([&] { with_declaration(file, declaration); });
}

TEST(ModelFile, EveryPartOfTheDeclarationIsNeeded) {
  const TemporaryFolder folder;
  save_model(sample(), folder / "a");
  const TensorFile file = TensorFile::open(folder / "a", "model");
  const Json sound = Json::parse(file.metadata("declaration"));
  EXPECT_EQ(error_of_declaration(file, sound.dump()), "");
  const Json flat = sound.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (pointer.starts_with("/options/")) continue;
    Json lacking = sound;
    const Json::json_pointer place(pointer);
    lacking[place.parent_pointer()].erase(place.back());
    const std::string error = error_of_declaration(file, lacking.dump());
    const bool may_lack = pointer.ends_with("/interaction") || pointer == "/by_distance";
    EXPECT_EQ(error.find("declaration") == std::string::npos, may_lack) << pointer;
    Json strange = sound;
    strange[place] = Json::array();
    EXPECT_THAT(error_of_declaration(file, strange.dump()), HasSubstr("declaration")) << pointer;
  }
  for (const char* text : {"{", "", "[]", "null", "3"}) {
    EXPECT_THAT(error_of_declaration(file, text), HasSubstr("declaration")) << text;
  }
}

// Files written before a loss could lean or interact say nothing of either.
TEST(ModelFile, WithoutLeanOrInteractionEveryPairLeansAsItWeighs) {
  const TemporaryFolder folder;
  save_model(sample(), folder / "a");
  const TensorFile file = TensorFile::open(folder / "a", "model");
  Json older = Json::parse(file.metadata("declaration"));
  for (const char* side : {"users", "items"}) {
    older[side].erase("lean");
    older[side].erase("interaction");
  }
  const Model model = with_declaration(file, older.dump());
  EXPECT_EQ(model.law.users.lean, model.law.users.weight);
  EXPECT_EQ(model.law.items.lean, model.law.items.weight);
  EXPECT_EQ(model.law.users.interaction, 0.0);
}

TEST(ModelFile, AFileWithoutItsTensorsIsNoModel) {
  const TemporaryFolder folder;
  const auto path = folder / "model.safetensors";
  TensorFileWriter("model").write(path);
  EXPECT_THAT(error_of([&] { load_model(path); }), HasSubstr("lacks the entry 'declaration'"));
  TensorFileWriter("dataset").write(path);
  EXPECT_THAT(error_of([&] { load_model(path); }), HasSubstr("it is a dataset"));
  EXPECT_THAT(error_of([&] { load_model(folder / "absent"); }), HasSubstr("absent"));
}

//   score = (N π_y)^blend (1 + o)
TEST(ItemScaling, IsThePriorToThePowerOfTheBlend) {
  Model model = sample();
  const ItemScaling scaling = item_scaling(model);
  const std::vector<double> degrees = {1, 1, 0, 1};
  ASSERT_EQ(scaling.scale.size(), 4u);
  for (std::size_t y = 0; y < 4; ++y) {
    const double pi = std::pow(std::max(degrees[y], 0.5), 0.75) / 3.0;
    EXPECT_FLOAT_EQ(scaling.scale[y], static_cast<float>(std::pow(4 * pi, model.blend)));
    EXPECT_EQ(scaling.bias[y], scaling.scale[y]);
  }
  model.blend = 0.0;
  EXPECT_THAT(item_scaling(model).scale, testing::Each(1.0f));
  model.uses_prior = false;
  EXPECT_TRUE(item_scaling(model).scale.empty());
  EXPECT_TRUE(item_scaling(model).bias.empty());
}

}  // namespace
}  // namespace sqmax
