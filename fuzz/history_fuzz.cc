// Any history, weights, exclusions and candidates, for models of all losses: a list that is in
// order and allowed, or a refusal.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/serve/engine.h"
#include "sqmax/train/fit.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "tests/support/trained_model.h"

namespace {

using sqmax::ByteSource;
using sqmax::Engine;
using sqmax::Index;
using sqmax::ListRequest;
using sqmax::Ranked;
using sqmax::require;

constexpr Index kItems = 40;

std::vector<std::unique_ptr<Engine>> engines() {
  std::vector<std::unique_ptr<Engine>> made;
  for (const sqmax::LossSpec& loss : sqmax::losses()) {
    made.push_back(std::make_unique<Engine>(sqmax::trained_model(loss.name, 25, kItems, 4),
                                            sqmax::EngineOptions{}));
  }
  made.push_back(std::make_unique<Engine>(sqmax::trained_model("rgp", 25, kItems, 4),
                                          sqmax::EngineOptions{.index = sqmax::IndexKind::Hnsw}));
  return made;
}

// Mostly sound: distinct and ascending, unless a byte says otherwise.
std::vector<Index> items_of(ByteSource& bytes) {
  std::vector<Index> items = bytes.list<Index>(24);
  if (bytes.up_to(15) == 0) return items;
  for (Index& item : items) item = (item + 128) % kItems;
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

ListRequest request_of(ByteSource& bytes) {
  ListRequest request{.k = bytes.up_to(60) - 2};
  if (bytes.up_to(3) == 0) {
    request.user = bytes.up_to(30) - 2;
  } else {
    request.history = items_of(bytes);
  }
  if (bytes.up_to(2) == 0) {
    for (std::size_t i = 0; i < request.history.size(); ++i) {
      request.weights.push_back(
          std::ldexp(static_cast<float>(bytes.up_to(9)), bytes.up_to(200) - 100));
    }
  }
  request.exclude = items_of(bytes);
  request.restricted = bytes.up_to(3) == 0;
  if (request.restricted) request.only = items_of(bytes);
  request.allow_seen = bytes.up_to(1) == 0;
  if (bytes.up_to(3) == 0) request.blend = bytes.up_to(40) / 10.0 - 1.0;
  return request;
}

bool has(const std::vector<Index>& items, Index item) {
  return std::ranges::find(items, item) != items.end();
}

void check(const Engine& engine, const ListRequest& request, const std::vector<Ranked>& list) {
  require(list.size() <= static_cast<std::size_t>(request.k));
  std::vector<Index> items;
  for (const Ranked& ranked : list) {
    require(std::isfinite(ranked.score) && ranked.item >= 0 && ranked.item < kItems);
    require(!has(items, ranked.item) && !has(request.exclude, ranked.item));
    require(request.allow_seen || !has(request.history, ranked.item));
    require(!request.restricted || has(request.only, ranked.item));
    require(items.empty() || list[items.size() - 1].score >= ranked.score);
    items.push_back(ranked.item);
  }
  if (list.empty() || !engine.explains()) return;
  const sqmax::Explanation why = engine.explain(request, list.front().item);
  double sum = why.rest;
  double size = std::abs(why.rest) + std::abs(why.score);
  for (const auto& part : why.contributions) {
    sum += part.score;
    size += std::abs(part.score);
  }
  require(std::abs(sum - why.score) <= 1e-3 * size + 1e-6);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static const auto all = engines();
  ByteSource source({bytes, size});
  const Engine& engine =
      *all[static_cast<std::size_t>(source.up_to(static_cast<int>(all.size()) - 1))];
  const ListRequest request = request_of(source);
  try {
    check(engine, request, engine.recommend(request));
  } catch (const sqmax::Error&) {
    return 0;  // what cannot be answered is refused
  }
  return 0;
}
