// sqmax prepare: raw interactions to one binary dataset, with a doctor's report.
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "cli/about_items.h"
#include "cli/checkpoint_args.h"
#include "cli/command.h"
#include "cli/data_args.h"
#include "cli/disk_work.h"
#include "cli/json.h"
#include "cli/machine.h"
#include "cli/memory_estimate.h"
#include "cli/outputs.h"
#include "cli/text.h"
#include "core/fail.h"
#include "data/read/delimited_layout.h"

namespace sqmax::cli {
namespace {

struct PrepareArgs {
  std::vector<std::string> inputs;
  std::string output;
  std::string about;
  std::int64_t seed = 0;
  std::optional<std::int64_t> memory;
  CheckpointArgs checkpoint;
  DataArgs data;

  void describe(ArgumentParser& parser) {
    parser.positionals("INPUT", inputs, "files of interactions, plain, .gz or .zst; - is stdin");
    parser.option("-o,--output", output, "the dataset to write (.safetensors)");
    parser.option("--items", about,
                  "a table of item ids, titles and more, tab-separated, kept with the dataset");
    parser.whole_number("--seed", seed, 0, std::numeric_limits<std::int64_t>::max(),
                        "of the split");
    parser.memory_size("--memory", memory,
                       "tables larger than this, like 512M or 2G, go to temporary files beside the "
                       "output; the dataset is the same [half of the free memory]");
    checkpoint.describe_table(parser);
    data.describe(parser);
  }
};

/// What was found out about the first file, so that a wrong guess is seen.
std::string layout_text(const ReadReport& report) {
  const ReadColumns& columns = report.columns;
  if (columns.user.empty()) return "";
  std::string text = fmt::format("columns   user: {}, item: {}", columns.user, columns.item);
  if (!columns.rating.empty()) text += ", rating: " + columns.rating;
  if (!columns.time.empty()) text += ", time: " + columns.time;
  if (!columns.split.empty()) text += ", split: " + columns.split;
  if (!report.delimiter.empty()) {
    text += fmt::format("; delimited by {}; {}", shown_delimiter(report.delimiter),
                        report.header ? "the first row is the header" : "there is no header");
  }
  return text + "\n";
}

std::string report_text(const Prepared& prepared) {
  const ReadReport& report = *prepared.report;
  const Dataset& data = prepared.dataset;
  std::string text =
      fmt::format("read      {}, {} ({})\n", counted(report.lines, "line", "lines"),
                  counted(report.read, "interaction", "interactions"), report.format);
  text += layout_text(report);
  if (report.below_min_rating > 0) {
    text += fmt::format("dropped   {} below the smallest rating\n",
                        with_commas(report.below_min_rating));
  }
  for (const DroppedRows& rows : report.dropped) {
    text += fmt::format("dropped   {} because {}\n", with_commas(rows.count), rows.reason);
  }
  if (report.bad_lines > 0)
    text += fmt::format("skipped   {}\n", counted(report.bad_lines, "bad line", "bad lines"));
  for (const BadLine& bad : report.first_bad_lines) {
    text += fmt::format("            {}:{}: {}\n", bad.file, bad.line, bad.reason);
  }
  text += fmt::format("kept      {} × {}\n", counted(data.user_count(), "user", "users"),
                      counted(data.item_count(), "item", "items"));
  text +=
      fmt::format("split     {} training, {} validation, {} test\n", with_commas(data.train.nnz()),
                  with_commas(data.valid.nnz()), with_commas(data.test.nnz()));
  if (data.history.nnz() > 0) {
    text += fmt::format("history   {} of held-out users\n", with_commas(data.history.nnz()));
  }
  for (const Finding& finding : prepared.findings) text += "doctor    " + finding.sentence + "\n";
  return text;
}

int run(const PrepareArgs& args, Session& session) {
  if (args.inputs.empty())
    fail(Errc::BadOption, "prepare wants at least one INPUT; - is the standard input.");
  if (args.output.empty()) fail(Errc::BadOption, "prepare wants -o FILE, the dataset to write.");
  check_options(args.data.read);
  args.checkpoint.check(args.inputs, args.data, {{"-o", args.output}, {"--items", args.about}});
  check_output(args.output, args.inputs);
  check_output(args.output, {&args.about, 1});
  bool on_disk = false;
  const Workspace workspace =
      workspace_beside(args.output, args.memory, session, [&on_disk] { on_disk = true; });
  const auto lock = args.checkpoint.claim();
  Prepared prepared = prepare(args.inputs, args.data, static_cast<std::uint64_t>(args.seed),
                              session, workspace, args.checkpoint.table());
  read_about_items(args.about, prepared, session);
  save_dataset(prepared.dataset, args.output);
  args.checkpoint.forget_table();
  if (session.json()) {
    Json document = counts_of(prepared.dataset);
    document["dataset"] = args.output;
    document["fingerprint"] = fingerprint(prepared.dataset);
    document["on_disk"] = on_disk;
    document["memory"] = to_json(prepared.memory);
    document["peak_memory_bytes"] = peak_memory_bytes();
    document["read"] = to_json(*prepared.report);
    document["findings"] = list_of(prepared.findings);
    session.print(document);
  } else {
    const std::string where =
        on_disk ? fmt::format("worked    on disk, in {}\n", folder_of(args.output).string()) : "";
    session.print(report_text(prepared) + where + fmt::format("wrote     {}\n", args.output));
  }
  return 0;
}

}  // namespace

Command prepare_command() {
  return make_command<PrepareArgs>("prepare", "read, check, filter and split raw interactions",
                                   &run);
}

}  // namespace sqmax::cli
