// Any bytes as a model, a table or a state, raw or as arrays of any sizes and values: a sentence,
// or one that can be used.
#include <cmath>
#include <limits>
#include <string>

#include <unistd.h>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/data/stored_table.h"
#include "sqmax/serve/engine.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "tests/support/trained_model.h"
#include "train/state_file.h"

namespace {

using sqmax::ByteSource;
using sqmax::require;
using sqmax::try_it;

constexpr std::size_t kLongest = 20;

// A model that loads answers; one whose numbers are none does not load.
void use_model(const std::filesystem::path& path) {
  try_it([&] {
    const sqmax::Engine engine(sqmax::load_model(path), {});
    if (engine.model().user_count() == 0 || engine.model().item_count() == 0) return;
    for (const sqmax::Ranked& ranked : engine.recommend({.user = 0, .k = 5})) {
      require(!std::isnan(ranked.score) && ranked.item < engine.model().item_count());
    }
  });
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

void use_state(const std::filesystem::path& path) {
  try_it([&] {
    std::vector<float> values(3);
    std::vector<double> list;
    sqmax::read_state(path, [&](sqmax::StateVisitor& visitor) {
      visitor.visit("values", std::span(values));
      visitor.visit_list("list", list);
    });
  });
}

void use(const std::filesystem::path& path) {
  use_model(path);
  use_table(path);
  use_state(path);
}

// A sound model with one of its parts, or a value, made of the input.
sqmax::Model damaged(sqmax::Model model, ByteSource& bytes) {
  const auto number = [&] {
    const float kinds[] = {NAN,   INFINITY, -INFINITY,
                           1e38f, -0.0f,    std::numeric_limits<float>::denorm_min()};
    return kinds[bytes.up_to(5)];
  };
  std::vector<float> values(model.Q.values.begin(), model.Q.values.end());
  switch (bytes.up_to(7)) {
    case 0:
      values[bytes.next() % values.size()] = number();
      model.Q.values = values;
      break;
    case 1:
      values.resize(bytes.next());
      model.Q.values = values;
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
    default:
      model.P.values = bytes.list<float>(kLongest);
  }
  return model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static const sqmax::Model sound = sqmax::trained_model("rgp", 10, 12, 3);
  use(sqmax::MemoryFile({bytes, size}).path());

  const auto path = sqmax::memory_path("sqmax_model_fuzz");
  ByteSource source({bytes, size});
  sqmax::save_model(damaged(sound, source), path);
  use(path);
  std::filesystem::remove(path);
  return 0;
}
