// Reading: opens inputs, recognises their format, and lets the format read them.
#include "sqmax/data/read.h"

#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>

#include "core/fail.h"
#include "data/read/format.h"
#include "data/read/read_inputs.h"

namespace sqmax {
namespace {

constexpr std::size_t kLeastBlockBytes = 1024;  // of the blocks that several threads parse at once
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

const Format& format_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Format& format : format_table()) {
    if (format.spec.name == name) return format;
    names.push_back(format.spec.name);
  }
  fail(Errc::BadOption, "There is no format '{}'; there are: auto, {}.", name,
       fmt::join(names, ", "));
}

const Format& recognised_format(std::string_view head) {
  const Format* best = nullptr;
  Certainty certainty = Certainty::No;
  for (const Format& format : format_table()) {
    const Certainty own = format.recognise(head);
    if (best == nullptr || own > certainty) {
      best = &format;
      certainty = own;
    }
  }
  return *best;
}

void reject_binary(const std::string& name, std::string_view head) {
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
    fail(Errc::BadInput, "{} is UTF-16 text; convert it to UTF-8 first.", name);
  }
  if (head.find('\0') != std::string_view::npos) {
    fail(Errc::BadInput, "{} is not text: it looks like a binary file of an unknown kind.", name);
  }
}

/// The sizes of all files together; 0 if one of them has none.
Offset stored_bytes_of(const std::vector<PartSources>& parts) {
  Offset total = 0;
  for (const PartSources& part : parts) {
    for (const InputSource& source : part.sources) {
      std::error_code unknown;
      total += source.memory
                   ? static_cast<Offset>(source.memory->size())
                   : static_cast<Offset>(std::filesystem::file_size(source.name, unknown));
      if (unknown) return 0;
    }
  }
  return total;
}

void read_part(const PartSources& part, ReadContext& context) {
  std::vector<InputStream> joint;
  const Format* joint_format = nullptr;
  if (part.part) context.collector.set_part(*part.part);
  for (const InputSource& source : part.sources) {
    InputStream input(source.open());
    if (input.head().starts_with(kByteOrderMark)) input.skip(kByteOrderMark.size());
    if (input.head().empty()) {
      context.collector.skip_empty_input(input.name());
      continue;
    }
    const std::string& name = context.options.format;
    const Format& format = name == "auto" ? recognised_format(input.head()) : format_named(name);
    if (!format.binary) reject_binary(input.name(), input.head());
    if (format.joint) {
      joint_format = &format;
      joint.push_back(std::move(input));
    } else {
      format.read({&input, 1}, context);
    }
  }
  if (joint_format != nullptr) joint_format->read(joint, context);
}

std::vector<InputSource> sources_of(const std::vector<std::string>& paths) {
  std::vector<InputSource> sources;
  sources.reserve(paths.size());
  for (const std::string& path : paths) sources.push_back({path, std::nullopt});
  return sources;
}

}  // namespace

void check_options(const ReadOptions& options) {
  if (options.format != "auto") format_named(options.format);
  if (options.header != "auto" && options.header != "yes" && options.header != "no") {
    fail(Errc::BadOption, "--header must be auto, yes or no; '{}' is not.", options.header);
  }
  const bool names_rating = !options.rating.empty() && options.rating != "none";
  if (names_rating && !options.min_rating) {
    fail(Errc::BadOption,
         "--rating {} names the column that --min-rating compares, and --min-rating is not given; "
         "weights of interactions are not supported.",
         options.rating);
  }
}

ReadResult read_inputs(const std::vector<PartSources>& parts, const ReadOptions& options,
                       const OnProgress& on_progress, std::size_t block_bytes,
                       const Workspace& workspace) {
  check_options(options);
  Collector collector(options, on_progress, stored_bytes_of(parts), workspace);
  const std::size_t share = workspace.share(1.0 / 64, kLeastBlockBytes, kBlockBytes);
  ReadContext context = {options, collector, std::min(block_bytes, share)};
  for (const PartSources& part : parts) read_part(part, context);
  return collector.finish();
}

ReadResult read_interactions(const std::vector<std::string>& paths, const ReadOptions& options,
                             const OnProgress& on_progress, const Workspace& workspace) {
  if (paths.empty()) fail(Errc::BadOption, "There is no file to read.");
  return read_inputs({{sources_of(paths), std::nullopt}}, options, on_progress, kBlockBytes,
                     workspace);
}

ReadResult read_split_files(const SplitFiles& files, const ReadOptions& options,
                            const OnProgress& on_progress, const Workspace& workspace) {
  if (files.train.empty()) fail(Errc::BadOption, "There is no file to train on.");
  if (!options.split.empty() && options.split != "none") {
    fail(Errc::BadOption, "The split is given by files, so there can be no --split column.");
  }
  ReadOptions without_column = options;
  without_column.split = "none";
  return read_inputs({{sources_of(files.train), Part::Train},
                      {sources_of(files.valid), Part::Valid},
                      {sources_of(files.test), Part::Test}},
                     without_column, on_progress, kBlockBytes, workspace);
}

}  // namespace sqmax
