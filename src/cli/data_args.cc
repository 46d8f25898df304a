// DataArgs: from files to a dataset.
#include "cli/data_args.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sqmax/data/stored_table.h"

#include "cli/exporters.h"
#include "cli/text.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kMostDegree = 1'000'000'000;

SplitRatios parse_ratios(const std::string& text) {
  const auto words = split_words(text, ',');
  std::array<double, 3> shares = {};
  bool sound = words.size() == shares.size();
  for (std::size_t i = 0; sound && i < shares.size(); ++i) {
    const char* end = words[i].data() + words[i].size();
    const auto parsed = fast_float::from_chars(words[i].data(), end, shares[i]);
    sound = parsed.ec == std::errc() && parsed.ptr == end;
  }
  if (!sound) fail(Errc::BadOption, "--ratio wants three shares like 0.8,0.1,0.1, not '{}'.", text);
  return {shares[0], shares[1], shares[2]};
}

bool is_given(const DataArgs& args) {
  return !args.read.split.empty() || !args.valid_file.empty() || !args.test_file.empty();
}

PrepareOptions prepare_options(const DataArgs& args, std::uint64_t seed) {
  PrepareOptions options;
  options.filter = {.min_user = static_cast<Index>(std::max(args.kcore, args.min_user)),
                    .min_item = static_cast<Index>(std::max(args.kcore, args.min_item))};
  options.split.seed = seed;
  options.split.ratios = parse_ratios(args.ratio);
  options.split.kind = !args.split.empty() ? parse_split(args.split)
                       : is_given(args)    ? SplitKind::Given
                                           : SplitKind::Ratio;
  check_split(options.split);
  const bool parts_are_files = !args.valid_file.empty() || !args.test_file.empty();
  if (parts_are_files && options.split.kind != SplitKind::Given) {
    fail(Errc::BadOption, "--valid-file and --test-file are a split; --split {} contradicts them.",
         args.split);
  }
  return options;
}

std::string source_of(const ReadReport& report, const DataArgs& args) {
  nlohmann::ordered_json source = {{"files", report.files}, {"format", report.format}};
  if (args.read.min_rating) source["min_rating"] = *args.read.min_rating;
  return source.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// A tensor file begins with the length of its header, eight bytes, and then a brace. The bytes of
// a pipe come once, so it is left alone.
bool looks_like_tensor_file(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  std::ifstream in(path, std::ios::binary);
  std::array<char, 9> head = {};
  in.read(head.data(), head.size());
  std::uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  return in.gcount() == head.size() && head.back() == '{' && length < (std::uint64_t{1} << 40);
}

ReadResult read_files(const std::vector<std::string>& inputs, const DataArgs& args,
                      const ReadOptions& options, Session& session, const Workspace& workspace) {
  if (args.valid_file.empty() && args.test_file.empty()) {
    return read_interactions(inputs, options, session.progress(), workspace);
  }
  const auto files = [](const std::string& file) {
    return file.empty() ? std::vector<std::string>{} : std::vector<std::string>{file};
  };
  return read_split_files({inputs, files(args.valid_file), files(args.test_file)}, options,
                          session.progress(), workspace);
}

std::int64_t limit_of(const Workspace& workspace) {
  constexpr std::size_t none = std::size_t{1} << 50;
  return static_cast<std::int64_t>(workspace.share(1.0, 0, none));
}

std::vector<std::string> all_files(std::vector<std::string> inputs, const DataArgs& args) {
  for (const std::string& part : {args.valid_file, args.test_file}) {
    if (!part.empty()) inputs.push_back(part);
  }
  return inputs;
}

// What was read, and how: a file that has changed since is read again.
std::string identity_of(std::vector<std::string> files, const DataArgs& args,
                        const ReadOptions& read) {
  files.insert(files.end(), {args.valid_file, args.test_file});
  nlohmann::ordered_json identity = {
      read.format,   read.user,      read.item,          read.rating,
      read.time,     read.split,     read.header,        read.min_rating.value_or(-1e300),
      SQMAX_VERSION, read.delimiter, read.skip_bad_lines};
  for (const std::string& file : files) {
    std::error_code unknown;
    const auto changed = std::filesystem::last_write_time(file, unknown).time_since_epoch().count();
    identity.push_back({file, std::filesystem::file_size(file, unknown), changed});
  }
  return identity.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// What an earlier run has read, or what is read now and kept.
ReadResult read_once(const std::string& table, const std::string& identity,
                     const std::function<ReadResult()>& read) {
  if (auto kept = load_table(identity, table)) return std::move(*kept);
  make_folder(std::filesystem::path(table).parent_path());
  ReadResult result = read();
  save_table(result, identity, table);
  return result;
}

}  // namespace

void DataArgs::describe(ArgumentParser& parser) {
  std::string names = "auto";
  for (const FormatSpec& format : formats()) names += ", " + format.name;
  parser.option("--format", read.format, "what the files are: " + names);
  parser.option("--user", read.user,
                "column of the user (left side): header name, or position from 1");
  parser.option("--item", read.item, "column of the item (right side)");
  parser.option("--rating", read.rating,
                "column of a number, for --min-rating; nothing else uses it");
  parser.option("--time", read.time, "column of a number or date, for splits in time");
  parser.option("--split-column", read.split, "column that says train, valid or test");
  parser.option("--delimiter", read.delimiter, "between columns; sniffed if not given");
  parser.choice("--header", read.header, {"auto", "yes", "no"}, "whether line 1 names the columns");
  parser.option("--min-rating", read.min_rating, "drop interactions rated lower");
  parser.flag("--skip-bad-lines", read.skip_bad_lines,
              "count unreadable lines instead of stopping");
  parser.whole_number("--kcore", kcore, 1, kMostDegree,
                      "keep users and items with so many of each other, repeatedly");
  parser.whole_number("--min-user", min_user, 1, kMostDegree, "the same for users alone");
  parser.whole_number("--min-item", min_item, 1, kMostDegree, "the same for items alone");
  parser.option("--split", split,
                "ratio, leave-one-out, user-time, time, strong, given or none [ratio]");
  parser.option("--ratio", ratio, "shares of training, validation and test");
  parser.option("--valid-file", valid_file, "a file that is the validation part");
  parser.option("--test-file", test_file, "a file that is the test part");
}

Prepared prepare(const std::vector<std::string>& inputs, const DataArgs& args, std::uint64_t seed,
                 Session& session, const Workspace& workspace, const std::string& table) {
  PrepareOptions options = prepare_options(args, seed);
  options.workspace = workspace;
  ReadOptions read = args.read;
  if (read.split.empty() && options.split.kind != SplitKind::Given) read.split = "none";
  Prepared prepared;
  // a table that was kept is mapped, and all of it looked through
  prepared.memory =
      with_mapped(reading_estimate(all_files(inputs, args), limit_of(workspace)), table);
  tell(prepared.memory, session, " to read");
  const auto read_anew = [&] { return read_files(inputs, args, read, session, workspace); };
  ReadResult result =
      table.empty() ? read_anew() : read_once(table, identity_of(inputs, args, read), read_anew);
  prepared.findings = result.report.findings;
  options.source = source_of(result.report, args);
  prepared.dataset = make_dataset(std::move(result.interactions), options, prepared.findings);
  prepared.report = std::move(result.report);
  return prepared;
}

Prepared load_or_prepare(const std::vector<std::string>& inputs, const DataArgs& args,
                         std::uint64_t seed, Session& session, const Workspace& workspace,
                         const std::string& table) {
  const std::string& input = inputs.front();
  if (inputs.size() == 1 && input != "-" && looks_like_tensor_file(input)) {
    Prepared prepared{.dataset = load_dataset(input)};
    if (!(args == DataArgs{})) {
      fail(Errc::BadOption,
           "{} is prepared already; options of reading, filtering and splitting are for raw files.",
           input);
    }
    return prepared;
  }
  Prepared prepared = prepare(inputs, args, seed, session, workspace, table);
  for (const Finding& finding : prepared.findings) session.say("note: " + finding.sentence);
  return prepared;
}

}  // namespace sqmax::cli
