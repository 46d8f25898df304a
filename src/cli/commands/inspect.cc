// sqmax inspect: what is in a dataset or model file.
#include <fmt/format.h>

#include "sqmax/core/tensor_file.h"
#include "sqmax/model/model.h"
#include "sqmax/report/table.h"

#include "cli/command.h"
#include "cli/json.h"
#include "cli/text.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

struct InspectArgs {
  std::string file;

  void describe(ArgumentParser& parser) { parser.positional("FILE", file, "a dataset or a model"); }
};

Json tensors_of(const TensorFile& file) {
  Json tensors = Json::object();
  for (const auto& [name, info] : file.tensors()) {
    tensors[name] = {{"shape", info.shape}, {"bytes", info.end - info.begin}};
  }
  return tensors;
}

Json describe_dataset(const std::string& path) {
  const Dataset dataset = load_dataset(path);
  Json document = counts_of(dataset);
  document["fingerprint"] = fingerprint(dataset);
  if (!dataset.about_items.empty()) document["item_columns"] = dataset.about_items.columns;
  document["recipe"] = Json::parse(dataset.recipe);
  document["findings"] = Json::parse(dataset.doctor).value("findings", Json::array());
  return document;
}

Json describe_model(const std::string& path) {
  const Model model = load_model(path);
  Json document = {{"loss", model.loss},          {"options", to_json(model.options)},
                   {"users", model.user_count()}, {"items", model.item_count()},
                   {"rank", model.Q.rank},        {"links", model.links.targets.nnz()},
                   {"train", model.seen.nnz()}};
  if (!model.about_items.empty()) document["item_columns"] = model.about_items.columns;
  document["story"] = Json::parse(model.story);
  return document;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return with_commas(value.get<std::int64_t>());
  if (value.is_number()) return fmt::format("{:.4g}", value.get<double>());
  return value.dump();
}

std::string text_of(const Json& document) {
  std::string text;
  for (const auto& [key, value] : document.items()) {
    if (key == "tensors" || key == "story" || key == "findings" || key == "recipe") continue;
    text += fmt::format("{:<15} {}\n", key, value_text(value));
  }
  if (document.contains("story")) {
    const Json& story = document["story"];
    for (const char* part : {"valid", "test"}) {
      if (!story.contains(part)) continue;
      for (const auto& [name, value] : story[part].items()) {
        text += fmt::format("{:<15} {} {:.4f}\n", part, name, value.get<double>());
      }
    }
  }
  if (document.contains("recipe"))
    text += fmt::format("{:<15} {}\n", "recipe", document["recipe"].dump());
  for (const Json& finding : document.value("findings", Json::array())) {
    text += fmt::format("{:<15} {}\n", "doctor", finding.value("sentence", ""));
  }
  Table table{.header = {"tensor", "shape", "bytes"}, .rows = {}};
  for (const auto& [name, tensor] : document["tensors"].items()) {
    table.rows.push_back({name, tensor["shape"].dump(), value_text(tensor["bytes"])});
  }
  return text + "\n" + to_text(table);
}

Json describe(const std::string& path) {
  const TensorFile file = TensorFile::open(path, "");
  const std::string& kind = file.metadata("kind");
  Json document = {{"kind", kind},
                   {"format_version", file.metadata("format_version")},
                   {"sqmax_version", file.metadata("sqmax_version")},
                   {"checksum", file.metadata("checksum")}};
  if (kind == "dataset") document.update(describe_dataset(path));
  if (kind == "model") document.update(describe_model(path));
  document["tensors"] = tensors_of(file);
  return document;
}

int run(const InspectArgs& args, Session& session) {
  try {
    const Json document = describe(args.file);
    if (session.json()) {
      session.print(document);
    } else {
      session.print(text_of(document));
    }
  } catch (const Json::exception&) {
    fail(Errc::BadFile, "Cannot read {}: its entries are not like those that sqmax writes.",
         args.file);
  }
  return 0;
}

}  // namespace

Command inspect_command() {
  return make_command<InspectArgs>("inspect", "what is in a dataset or model file", &run);
}

}  // namespace sqmax::cli
