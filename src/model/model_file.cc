// Models in tensor files.                                              docs/file-formats.md
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "sqmax/core/parallel.h"
#include "sqmax/model/in_memory.h"

#include "data/stored_parts.h"
#include "model/check_numbers.h"

namespace sqmax {
namespace {

using Json = nlohmann::ordered_json;

// What is made of K × K numbers stays in proportion to the file: vectors of so many numbers take
// as much, or little.
constexpr Offset kHarmlessRank = 4096;
constexpr Offset kValuesPerBlock = Offset{1} << 20;

Json to_json(const DegreeLaw& law) {
  return {{"scale", law.scale},
          {"offset", law.offset},
          {"slope", law.slope},
          {"power", law.power},
          {"floor", law.floor}};
}

Json to_json(const SideLaw& side) {
  return {{"weight", to_json(side.weight)},       {"lean", to_json(side.lean)},
          {"curvature", to_json(side.curvature)}, {"pull", to_json(side.pull)},
          {"ridge", to_json(side.ridge)},         {"interaction", side.interaction}};
}

DegreeLaw degree_law(const Json& json) {
  return {.scale = json.at("scale"),
          .offset = json.at("offset"),
          .slope = json.at("slope"),
          .power = json.at("power"),
          .floor = json.at("floor")};
}

SideLaw side_law(const Json& json) {
  // Files from before a loss could lean or interact do not say so.
  return {.weight = degree_law(json.at("weight")),
          .lean = degree_law(json.contains("lean") ? json.at("lean") : json.at("weight")),
          .curvature = degree_law(json.at("curvature")),
          .pull = degree_law(json.at("pull")),
          .ridge = degree_law(json.at("ridge")),
          .interaction = json.value("interaction", 0.0)};
}

Json declaration(const Model& model) {
  Json options = Json::object();
  for (const auto& [name, value] : model.options) {
    std::visit([&options, &name = name](const auto& v) { options[name] = v; }, value);
  }
  return {{"loss", model.loss},
          {"options", options},
          {"users", to_json(model.law.users)},
          {"items", to_json(model.law.items)},
          {"target", model.law.target},
          {"weighted_ridge", model.law.weighted_ridge},
          {"uses_prior", model.uses_prior},
          {"by_distance", model.by_distance},
          {"blend", model.blend}};
}

void read_declaration(const Json& json, Model& model) {
  model.loss = json.at("loss");
  for (const auto& [name, value] : json.at("options").items()) {
    if (value.is_string()) {
      model.options[name] = value.get<std::string>();
    } else {
      model.options[name] = value.get<double>();
    }
  }
  model.law = {.users = side_law(json.at("users")),
               .items = side_law(json.at("items")),
               .target = json.at("target"),
               .weighted_ridge = json.at("weighted_ridge")};
  model.uses_prior = json.at("uses_prior");
  model.by_distance = json.value("by_distance", false);  // older files do not say so
  model.blend = json.at("blend");
}

Array<float> finite(const PartReader& reader, const std::string& name) {
  Array<float> values = reader.array<float>(name);
  parallel_blocks(static_cast<Offset>(values.size()), kValuesPerBlock, [&](const Block& block) {
    const auto part = values.span().subspan(at(block.begin), at(block.end - block.begin));
    reader.check(std::ranges::all_of(part, [](float value) { return std::isfinite(value); }),
                 "its tensor '{}' has a value that is not finite", name);
  });
  return values;
}

Factors factors(const PartReader& reader, const std::string& name, Index rows) {
  const Shape& shape = reader.file().shape(name);
  reader.check(shape.size() == 2 && shape[0] == rows,
               "its tensor '{}' does not have a row for every id", name);
  reader.check(shape[1] <= std::max<Offset>(rows, kHarmlessRank),
               "its tensor '{}' has longer rows than it has rows", name);
  return {.rows = rows, .rank = static_cast<Index>(shape[1]), .values = finite(reader, name)};
}

void store_extra(TensorFileWriter& writer, const std::string& name, const Array<float>& extra) {
  if (!extra.empty()) writer.add<float>(name, {static_cast<Offset>(extra.size())}, extra.span());
}

// A model has extra numbers if its file has any.
Array<float> extra(const PartReader& reader, const std::string& name, Index rows) {
  if (!reader.file().tensors().contains(name)) return {};
  Array<float> values = finite(reader, name);
  reader.check(values.size() == at(rows), "its tensor '{}' does not have a value for every id",
               name);
  return values;
}

// A model has links if its file has any.
Links links(const PartReader& reader, Index items) {
  if (!reader.file().tensors().contains("links.offsets")) return {};
  Links links{.targets = reader.matrix("links", items, items),
              .values = finite(reader, "links.values")};
  reader.check(links.values.size() == at(links.targets.nnz()),
               "its tensor 'links.values' does not have a value for every link");
  return links;
}

Model model_of(const PartReader& reader) {
  Model model;
  try {
    read_declaration(Json::parse(reader.json("declaration")), model);
  } catch (const Json::exception&) {
    reader.check(false, "its declaration is not one that sqmax writes");
  }
  model.story = reader.json("story");
  model.users = reader.ids("users");
  model.items = reader.ids("items");
  model.seen = reader.matrix("seen", model.users.size(), model.items.size());
  model.P = factors(reader, "user_vectors", model.users.size());
  model.Q = factors(reader, "item_vectors", model.items.size());
  model.user_extra = extra(reader, "user_extra", model.users.size());
  model.item_extra = extra(reader, "item_extra", model.items.size());
  model.links = links(reader, model.items.size());
  model.about_items = reader.item_table(model.items.size());
  reader.check(model.P.rank == model.Q.rank, "its users and items have vectors of different sizes");
  check_numbers(reader, model);
  return model;
}

}  // namespace

void store_links(TensorFileWriter& writer, const Links& links) {
  if (links.empty()) return;
  store(writer, "links", links.targets);
  writer.add<float>("links.values", {links.targets.nnz()}, links.values.span());
}

void save_model(const Model& model, const std::filesystem::path& path) {
  TensorFileWriter writer("model");
  writer.set("declaration", declaration(model).dump());
  writer.set("story", model.story);
  store(writer, "users", model.users);
  store(writer, "items", model.items);
  store(writer, "seen", model.seen);
  writer.add<float>("user_vectors", {model.P.rows, model.P.rank}, model.P.values.span());
  writer.add<float>("item_vectors", {model.Q.rows, model.Q.rank}, model.Q.values.span());
  store_extra(writer, "user_extra", model.user_extra);
  store_extra(writer, "item_extra", model.item_extra);
  store_links(writer, model.links);
  store(writer, model.about_items);
  writer.write(path);
}

Model load_model(const std::filesystem::path& path) { return model_of(PartReader(path, "model")); }

Model load_model_in_memory(const std::filesystem::path& path) {
  return model_of(PartReader(TensorFile::read(path, "model")));
}

}  // namespace sqmax
