// Any options and any one to three inputs: an Error, or interactions whose columns fit together and
// that depend neither on blocks nor on how much memory there is.         docs/data-formats.md
#include <algorithm>
#include <cstdio>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"

#include "data/read/read_inputs.h"
#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"

namespace {

using sqmax::ByteSource;
using sqmax::Index;
using sqmax::Interactions;
using sqmax::require;

constexpr std::size_t kOptionBytes = 10;
constexpr std::size_t kMostInputs = 3;
constexpr std::string_view kBetweenInputs = "\xfe\xfe\xfe";

template <std::size_t size>
std::string one_of(const char* const (&choices)[size], ByteSource& bytes) {
  return choices[bytes.next() % size];
}

// Nothing but zeros are the defaults.
sqmax::ReadOptions options_of(ByteSource& bytes) {
  const auto column = [&bytes] {
    return one_of({"", "1", "2", "3", "4", "none", "user", "item", "rating", "time", "part", "no"},
                  bytes);
  };
  sqmax::ReadOptions options;
  const auto format = bytes.next() % (sqmax::formats().size() + 1);
  if (format > 0) options.format = sqmax::formats()[format - 1].name;
  options.header = one_of({"auto", "yes", "no"}, bytes);
  options.delimiter = one_of({"", ",", "\t", "::", " ", ";", "|", "ab"}, bytes);
  options.user = column();
  options.item = column();
  options.time = column();
  options.split = column();
  options.rating = column();
  const int rating = bytes.up_to(7);
  if (rating > 0) options.min_rating = rating - 1;
  return options;
}

// The bytes that are left, cut where the mark is, but not into more than kMostInputs.
std::vector<std::string_view> inputs_of(std::string_view bytes) {
  std::vector<std::string_view> inputs;
  while (inputs.size() + 1 < kMostInputs) {
    const std::size_t end = bytes.find(kBetweenInputs);
    if (end == std::string_view::npos) break;
    inputs.push_back(bytes.substr(0, end));
    bytes.remove_prefix(end + kBetweenInputs.size());
  }
  inputs.push_back(bytes);
  return inputs;
}

/// Where the bytes are, and whether they are of one part or of train, valid and test.
struct Arrangement {
  bool in_files = false;
  bool split = false;
};

struct Sources {
  std::list<sqmax::MemoryFile> files;
  std::vector<sqmax::PartSources> parts;

  Sources(const std::vector<std::string_view>& inputs, Arrangement how) {
    constexpr sqmax::Part kParts[] = {sqmax::Part::Train, sqmax::Part::Valid, sqmax::Part::Test};
    parts.resize(how.split ? inputs.size() : 1);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      sqmax::PartSources& part = parts[how.split ? i : 0];
      if (how.split) part.part = kParts[i];
      part.sources.push_back({"input", inputs[i]});
      if (!how.in_files) continue;
      files.emplace_back(inputs[i]);
      part.sources.back() = {files.back().path().string(), std::nullopt};
    }
  }
};

std::set<std::string>& formats_read() {
  static std::set<std::string> names;
  return names;
}

void check(const sqmax::ReadResult& result) {
  const Interactions& read = result.interactions;
  require(read.size() > 0 && read.size() == result.report.read);
  require(read.items.size() == read.users.size());
  require(read.times.empty() || read.times.size() == read.users.size());
  require(read.parts.empty() || read.parts.size() == read.users.size());
  for (const Index user : read.users) require(user >= 0 && user < read.user_ids.size());
  for (const Index item : read.items) require(item >= 0 && item < read.item_ids.size());
  formats_read().insert(result.report.format);
}

std::optional<Interactions> read(const Sources& sources, const sqmax::ReadOptions& options,
                                 std::size_t block_bytes, const sqmax::Workspace& workspace = {}) {
  try {
    auto result = sqmax::read_inputs(sources.parts, options, {}, block_bytes, workspace);
    check(result);
    return std::move(result.interactions);
  } catch (const sqmax::Error& error) {
    require(!std::string_view(error.what()).empty());
    return std::nullopt;
  }
}

bool same(const sqmax::IdTable& a, const sqmax::IdTable& b) {
  return std::ranges::equal(a.offsets, b.offsets) && std::ranges::equal(a.text, b.text);
}

bool same(const Interactions& a, const Interactions& b) {
  return std::ranges::equal(a.users, b.users) && std::ranges::equal(a.items, b.items) &&
         std::ranges::equal(a.times, b.times) && std::ranges::equal(a.parts, b.parts) &&
         same(a.user_ids, b.user_ids) && same(a.item_ids, b.item_ids);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  const std::size_t head = std::min(size, kOptionBytes);
  ByteSource bytes({data, head});
  const int bits = bytes.next();
  sqmax::ReadOptions options = options_of(bytes);
  options.skip_bad_lines = (bits & 1) != 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + head, size - head);
  const Sources sources(inputs_of(rest), {.in_files = (bits & 2) != 0, .split = (bits & 4) != 0});
  const auto whole = read(sources, options, 4096);

  const sqmax::Workspace tiny(1, sqmax::memory_path("").parent_path());
  const bool limited = (bits & 8) != 0;
  const auto pieces = read(sources, options, 5, limited ? tiny : sqmax::Workspace());
  require(whole.has_value() == pieces.has_value());
  require(!whole || same(*whole, *pieces));
  return 0;
}

// A seed that is refused at its first line tries little.
void check_corpus() {
  for (const sqmax::FormatSpec& format : sqmax::formats()) {
    if (formats_read().contains(format.name)) continue;
    std::printf("no seed of the format %s is read\n", format.name.c_str());
    require(false);
  }
}
