// MethodStore: JSON files, and whether they belong to this comparison.
#include "report/method_store.h"

#include <system_error>

#include "sqmax/core/atomic_file.h"

#include "core/fail.h"
#include "core/folders.h"
#include "core/shallow_json.h"

namespace sqmax {

// The first thing that differs is named, be it here or there.
void MethodStore::check(const std::filesystem::path& path, const Json& protocol) const {
  const auto text = [](const Json& from, const std::string& name) {
    return from.contains(name) ? from.at(name).dump() : "nothing";
  };
  for (const Json* names : {&protocol_, &protocol}) {
    for (const auto& [name, value] : names->items()) {
      const std::string before = text(protocol, name);
      const std::string now = text(protocol_, name);
      if (before == now) continue;
      fail(Errc::BadInput,
           "{} is of another comparison: its {} was {} and is now {}; give -o another folder, or "
           "remove that one to begin anew.",
           path.string(), name, before, now);
    }
  }
}

std::optional<MethodResult> MethodStore::find(const std::string& loss) const {
  const std::filesystem::path path = path_of(loss);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return {};
  const Json json = shallow_json_of<Json>(path);
  if (!json.is_object() || !json.contains("protocol") || !json.contains("method")) {
    fail(Errc::BadFile, "{} is not a stored method; remove it to begin anew.", path.string());
  }
  check(path, json.at("protocol"));
  try {
    MethodResult method = restored(json.at("method"));
    if (method.best < method.trials.size()) return method;
  } catch (const Json::exception&) {
    // said below
  }
  fail(Errc::BadFile, "{} is damaged; remove it to begin anew.", path.string());
}

void MethodStore::keep(const MethodResult& method) const {
  make_folders(folder_);
  const Json json = {{"protocol", protocol_}, {"method", stored(method)}};
  AtomicFile file(path_of(method.loss));
  file.write(json.dump() + "\n");
  file.commit();
}

}  // namespace sqmax
