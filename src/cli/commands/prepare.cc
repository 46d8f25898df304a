// sqmax prepare: raw interactions to one binary dataset, with a doctor's report.
#include <limits>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_args.h"
#include "cli/json.h"
#include "cli/outputs.h"
#include "cli/text.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

struct PrepareArgs {
  std::vector<std::string> inputs;
  std::string output;
  std::int64_t seed = 0;
  DataArgs data;

  void describe(ArgumentParser& parser) {
    parser.positionals("INPUT", inputs, "files of interactions, plain, .gz or .zst; - is stdin");
    parser.option("-o,--output", output, "the dataset to write (.safetensors)");
    parser.whole_number("--seed", seed, 0, std::numeric_limits<std::int64_t>::max(),
                        "of the split");
    data.describe(parser);
  }
};

std::string report_text(const Prepared& prepared) {
  const ReadReport& report = *prepared.report;
  const Dataset& data = prepared.dataset;
  std::string text =
      fmt::format("read      {} lines, {} interactions ({})\n", with_commas(report.lines),
                  with_commas(report.read), report.format);
  if (report.below_min_rating > 0) {
    text += fmt::format("dropped   {} below the smallest rating\n",
                        with_commas(report.below_min_rating));
  }
  for (const DroppedRows& rows : report.dropped) {
    text += fmt::format("dropped   {} {}\n", with_commas(rows.count), rows.reason);
  }
  if (report.bad_lines > 0)
    text += fmt::format("skipped   {} bad lines\n", with_commas(report.bad_lines));
  for (const BadLine& bad : report.first_bad_lines) {
    text += fmt::format("            {}:{}: {}\n", bad.file, bad.line, bad.reason);
  }
  text += fmt::format("kept      {} users × {} items\n", with_commas(data.user_count()),
                      with_commas(data.item_count()));
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
  check_output(args.output, args.inputs);
  const Prepared prepared =
      prepare(args.inputs, args.data, static_cast<std::uint64_t>(args.seed), session);
  save_dataset(prepared.dataset, args.output);
  if (session.json()) {
    Json document = counts_of(prepared.dataset);
    document["dataset"] = args.output;
    document["fingerprint"] = fingerprint(prepared.dataset);
    document["read"] = to_json(*prepared.report);
    document["findings"] = list_of(prepared.findings);
    session.print(document);
  } else {
    session.print(report_text(prepared) + fmt::format("wrote     {}\n", args.output));
  }
  return 0;
}

}  // namespace

Command prepare_command() {
  return make_command<PrepareArgs>("prepare", "read, check, filter and split raw interactions",
                                   &run);
}

}  // namespace sqmax::cli
