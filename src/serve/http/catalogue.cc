// Catalogue: loading.
#include "serve/http/catalogue.h"

#include "sqmax/model/in_memory.h"

namespace sqmax::http {
namespace {

Model with_table(Model model, ItemTable about) {
  if (!about.empty()) model.about_items = std::move(about);
  return model;
}

}  // namespace

Catalogue::Catalogue(Model model, ItemTable about, EngineOptions options)
    : engine_(with_table(std::move(model), std::move(about)), options),
      users_(engine_.model().users),
      items_(engine_.model().items),
      search_(engine_.model().items, engine_.model().about_items, engine_.popularity()),
      loaded_(std::chrono::system_clock::now()) {}

SharedCatalogue load_catalogue(const std::string& model_path, const std::string& items_path,
                               EngineOptions options) {
  Model model = load_model_in_memory(model_path);  // others may write to the file at any moment
  ItemTable about = items_path.empty() ? ItemTable() : read_item_table(items_path, model.items);
  return std::make_shared<const Catalogue>(std::move(model), std::move(about), options);
}

}  // namespace sqmax::http
