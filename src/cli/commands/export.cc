// sqmax export: vectors for other systems.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exporters.h"
#include "cli/outputs.h"
#include "cli/text.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

struct ExportArgs {
  std::string model;
  std::string format;
  std::string output;

  void describe(ArgumentParser& parser) {
    std::string titles;
    for (const Exporter& exporter : exporters()) {
      titles += (titles.empty() ? "" : "; ") + exporter.name + ": " + exporter.title;
    }
    parser.positional("MODEL", model, "a model that train wrote");
    parser.option("--to", format, titles);
    parser.option("-o,--output", output, "the file or folder to write");
    parser.note(
        "A score is the inner product of a user's and an item's vector; a model with links adds "
        "those from the user's items to the item. A model trained with --links 0 has none.");
  }
};

const Exporter& find_exporter(const std::string& name) {
  std::string names;
  for (const Exporter& exporter : exporters()) {
    if (exporter.name == name) return exporter;
    names += (names.empty() ? "" : ", ") + exporter.name;
  }
  fail(Errc::BadOption, "--to must be one of {}; '{}' is not.", names, name);
}

int run(const ExportArgs& args, Session& session) {
  const Exporter& exporter = find_exporter(args.format);
  if (args.output.empty()) fail(Errc::BadOption, "export wants -o PATH, what to write.");
  check_no_input(args.output, {&args.model, 1});
  const Model model = load_model(args.model);
  const ServingVectors vectors = serving_vectors(model);
  Json document = exporter.write(model, vectors, args.output, session);
  document.update({{"format", exporter.name},
                   {"output", args.output},
                   {"users", vectors.users.rows()},
                   {"items", vectors.items.rows()},
                   {"dim", vectors.items.cols()},
                   {"links", vectors.links.targets.nnz()}});
  if (session.json()) {
    session.print(document);
  } else {
    std::string text =
        fmt::format("wrote {}: {} and {} of dimension {}\n", args.output,
                    counted(vectors.users.rows(), "user", "users"),
                    counted(vectors.items.rows(), "item", "items"), vectors.items.cols());
    if (!vectors.links.empty()) {
      text += fmt::format("{} between items {}; scores are inner products plus the links\n",
                          counted(vectors.links.targets.nnz(), "link", "links"),
                          exporter.writes_links ? "are beside them" : "are not in the index");
    }
    if (document.contains("recall@10")) {
      text += fmt::format("recall@10 against exact search: {:.4f}\n",
                          document["recall@10"].get<double>());
    }
    session.print(text);
  }
  return 0;
}

}  // namespace

Command export_command() {
  return make_command<ExportArgs>("export", "vectors for other systems, inner-product ready", &run);
}

}  // namespace sqmax::cli
