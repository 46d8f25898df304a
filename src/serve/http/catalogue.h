// Catalogue: one model, loaded and ready: what a swap replaces as a whole.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "sqmax/data/item_table.h"
#include "sqmax/serve/engine.h"
#include "sqmax/serve/item_search.h"

namespace sqmax::http {

class Catalogue {
 public:
  /// `about` takes the place of what the model says about its items, unless it is empty.
  Catalogue(Model model, ItemTable about, EngineOptions options);
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  const Engine& engine() const { return engine_; }
  const Model& model() const { return engine_.model(); }
  const ItemSearch& search() const { return search_; }
  const ItemTable& about() const { return model().about_items; }
  std::optional<Index> user(std::string_view id) const { return users_.find(id); }
  std::optional<Index> item(std::string_view id) const { return items_.find(id); }
  std::chrono::system_clock::time_point loaded() const { return loaded_; }

 private:
  Engine engine_;
  IdIndex users_;
  IdIndex items_;
  ItemSearch search_;
  std::chrono::system_clock::time_point loaded_;
};

using SharedCatalogue = std::shared_ptr<const Catalogue>;

/// From a model file, and a table of titles if there is one. Throws Error.
SharedCatalogue load_catalogue(const std::string& model_path, const std::string& items_path,
                               EngineOptions options);

}  // namespace sqmax::http
