// Any bytes as a model or a table, resealed or as arrays of any sizes and values: a sentence, or
// one whose answers are numbers; and the same whether the file is mapped or read.
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/data/stored_table.h"
#include "sqmax/model/in_memory.h"
#include "sqmax/serve/engine.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "fuzz/odd_numbers.h"
#include "tests/support/forged_file.h"
#include "tests/support/trained_model.h"

namespace {

using sqmax::at;
using sqmax::ByteSource;
using sqmax::Engine;
using sqmax::odd_number;
using sqmax::require;
using sqmax::try_it;

constexpr std::size_t kLongest = 20;

void check_list(const Engine& engine, const std::vector<sqmax::Ranked>& list) {
  for (const sqmax::Ranked& ranked : list) {
    require(std::isfinite(ranked.score));
    require(ranked.item >= 0 && ranked.item < engine.model().item_count());
  }
}

// A model that loads answers with numbers, or with a sentence.
void ask(const Engine& engine) {
  const sqmax::Model& model = engine.model();
  if (model.user_count() == 0 || model.item_count() == 0) return;
  const sqmax::Index last = model.item_count() - 1;
  const std::vector<sqmax::Index> history =
      last > 0 ? std::vector<sqmax::Index>{0, last} : std::vector<sqmax::Index>{0};
  try_it([&] { check_list(engine, engine.recommend({.user = 0, .k = 5})); });
  try_it([&] { check_list(engine, engine.recommend({.history = history, .k = 5})); });
  try_it([&] { check_list(engine, engine.similar(last, 5)); });
  try_it([&] {
    const sqmax::Explanation why = engine.explain({.history = history}, last);
    require(std::isfinite(why.score) && std::isfinite(why.rest));
    for (const auto& part : why.contributions) require(std::isfinite(part.score));
  });
  for (const auto& column : model.about_items.columns) {
    require(model.about_items.value(column, last).size() < 10000);
  }
}

template <class T>
bool same_bits(const sqmax::Array<T>& a, const sqmax::Array<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void require_same(const sqmax::Model& a, const sqmax::Model& b) {
  require(a.loss == b.loss && a.options == b.options && a.story == b.story);
  require(same_bits(a.P.values, b.P.values) && same_bits(a.Q.values, b.Q.values));
  require(same_bits(a.users.text, b.users.text) && same_bits(a.items.text, b.items.text));
  require(same_bits(a.seen.offsets, b.seen.offsets) && same_bits(a.seen.indices, b.seen.indices));
  require(same_bits(a.links.values, b.links.values));
  require(same_bits(a.user_extra, b.user_extra) && same_bits(a.item_extra, b.item_extra));
  require(a.about_items.columns == b.about_items.columns);
}

struct Loaded {
  std::optional<sqmax::Model> model;
  std::string sentence;  ///< if there is none
};

Loaded loaded(sqmax::Model (*load)(const std::filesystem::path&),
              const std::filesystem::path& path) {
  try {
    return {load(path), ""};
  } catch (const sqmax::Error& error) {
    require(std::string(error.what()).size() > 1);
    return {{}, error.what()};
  }
}

void use_model(const std::filesystem::path& path, sqmax::IndexKind index) {
  Loaded mapped = loaded(&sqmax::load_model, path);
  Loaded copied = loaded(&sqmax::load_model_in_memory, path);
  require(mapped.sentence == copied.sentence);
  if (!mapped.model) return;
  require_same(*mapped.model, *copied.model);
  try_it([&] { ask(Engine(std::move(*copied.model), {.index = index})); });
}

void use_table(const std::filesystem::path& path) {
  try_it([&] {
    const auto table = sqmax::load_table("identity", path);
    if (!table) return;
    for (const sqmax::Index x : table->interactions.users) {
      require(table->interactions.user_ids[x].size() < 1000);
    }
  });
}

// One value is odd, or there are another number of them.
void damage(sqmax::Array<float>& array, ByteSource& bytes) {
  std::vector<float> values(array.begin(), array.end());
  if (bytes.up_to(3) == 0) values.resize(bytes.next());
  if (!values.empty()) values[bytes.next() % values.size()] = odd_number(bytes);
  array = values;
}

// One number of the law, or what is said of scores.
void damage_declaration(sqmax::Model& model, ByteSource& bytes) {
  sqmax::SideLaw& side = bytes.up_to(1) == 0 ? model.law.users : model.law.items;
  sqmax::DegreeLaw* laws[] = {&side.weight, &side.lean, &side.curvature, &side.pull, &side.ridge};
  sqmax::DegreeLaw& law = *laws[bytes.next() % std::size(laws)];
  double* numbers[] = {&law.scale,        &law.offset,  &law.slope,
                       &law.power,        &law.floor,   &side.interaction,
                       &model.law.target, &model.blend, &model.law.weighted_ridge};
  *numbers[bytes.next() % std::size(numbers)] = odd_number(bytes);
  if (bytes.up_to(3) == 1) model.uses_prior = !model.uses_prior;
  if (bytes.up_to(3) == 1) model.by_distance = !model.by_distance;
  if (bytes.up_to(3) == 1) model.loss = bytes.up_to(1) == 0 ? "bpr" : "no such loss";
}

void damage_item_table(sqmax::Model& model, ByteSource& bytes) {
  model.about_items.columns = {"title"};
  if (bytes.up_to(1) == 1) model.about_items.columns.emplace_back("title");
  for (std::size_t c = 0; c < model.about_items.columns.size(); ++c) {
    sqmax::TextColumn column;
    column.offsets = bytes.list<sqmax::Offset>(kLongest);
    column.text = bytes.list<std::uint8_t>(kLongest);
    model.about_items.values.push_back(column);
  }
}

// A sound model with one of its parts, or a value, made of the input.
sqmax::Model damaged(sqmax::Model model, ByteSource& bytes) {
  switch (bytes.up_to(12)) {
    case 0:
      damage(model.Q.values, bytes);
      break;
    case 1:
      damage(model.P.values, bytes);
      break;
    case 2:
      model.seen.offsets = bytes.list<sqmax::Offset>(kLongest);
      break;
    case 3:
      model.seen.indices = bytes.list<sqmax::Index>(kLongest);
      break;
    case 4:
      model.links.targets.offsets = bytes.list<sqmax::Offset>(kLongest);
      break;
    case 5:
      model.links.targets.indices = bytes.list<sqmax::Index>(kLongest);
      break;
    case 6:
      model.users.offsets = bytes.list<sqmax::Offset>(kLongest);
      break;
    case 7:
      model.P.values = bytes.list<float>(kLongest);
      break;
    case 8:
      damage(model.links.values, bytes);
      break;
    case 9:
      damage(model.user_extra, bytes);
      break;
    case 10:
      damage(model.item_extra, bytes);
      break;
    case 11:
      damage_item_table(model, bytes);
      break;
    default:
      damage_declaration(model, bytes);
  }
  return model;
}

}  // namespace

// The first byte chooses a loss, an index, and whether data are aligned. Raw bytes hardly ever have
// a right checksum, so it is made right.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static const sqmax::Model sound[] = {sqmax::trained_model("rgp", 10, 12, 3),
                                       sqmax::trained_model("wrmf", 10, 12, 3),
                                       sqmax::trained_model("cml", 10, 12, 3)};
  ByteSource source({bytes, size});
  const int first = source.next();
  const auto index = first % 2 == 0 ? sqmax::IndexKind::Exact : sqmax::IndexKind::Hnsw;
  const std::string sealed =
      sqmax::resealed({reinterpret_cast<const char*>(bytes), size}, first < 224 ? 8 : 1);
  const sqmax::MemoryFile file(sealed);
  use_model(file.path(), index);
  use_table(file.path());

  const auto path = sqmax::memory_path("sqmax_model_fuzz");
  sqmax::save_model(damaged(sound[at(first / 2) % std::size(sound)], source), path);
  use_model(path, index);
  std::filesystem::remove(path);
  return 0;
}
