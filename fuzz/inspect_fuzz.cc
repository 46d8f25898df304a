// Any bytes in what commands read beside data: a file to inspect, the story of a sound model, a
// list of ids, the shares of a split. Each is printed or used, or refused by a sentence.
#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/error.h"

#include "cli/command.h"
#include "cli/ids.h"
#include "fuzz/byte_source.h"
#include "fuzz/forged_story.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "tests/support/forged_file.h"
#include "tests/support/trained_model.h"

namespace {

using sqmax::require;
using sqmax::try_it;

// What it prints, if it ends well. A command sets its own limit of threads.
std::string run(const sqmax::cli::Command& command, std::vector<std::string> words) {
  words.insert(words.end(), {"--threads", "1"});
  std::ostringstream out, err;
  require(command.run(words, {.out = out, .err = err}) == 0);
  return out.str();
}

void inspect(std::string_view bytes) {
  static const sqmax::cli::Command command = sqmax::cli::inspect_command();
  const sqmax::MemoryFile file(bytes);
  for (const bool as_json : {false, true}) {
    std::vector<std::string> words = {file.path().string()};
    if (as_json) words.emplace_back("--json");
    try_it([&] { require(run(command, words).size() > 10); });
  }
}

// One on each line, as many as there are lines with something in them.
void find_ids(const sqmax::Model& model, std::string_view bytes) {
  const sqmax::cli::Ids ids("item", model.items);
  const sqmax::MemoryFile file(bytes);
  const std::vector<std::string> words = {"@" + file.path().string()};
  try_it([&] {
    const auto found = ids.positions(words);
    require(std::ssize(found) <= 1 + std::ranges::count(bytes, '\n'));
    for (const sqmax::Index each : found) require(each >= 0 && each < model.items.size());
    require(ids.set_of(words).size() <= found.size());
  });
}

void split_by(const std::string& shares) {
  static const sqmax::cli::Command command = sqmax::cli::prepare_command();
  static const sqmax::MemoryFile pairs(std::string_view("a 1\na 2\na 3\nb 1\nb 2\nc 3\n"));
  const auto path = sqmax::memory_path("sqmax_inspect_fuzz");
  try_it([&] {
    run(command, {pairs.path().string(), "--output", path.string(), "--ratio=" + shares});
  });
  std::filesystem::remove(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sqmax::Model model = sqmax::trained_model("rgp", 6, 7, 2);
  static const std::string sound = sqmax::stored_bytes(model, "sqmax_inspect_fuzz");
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  inspect(bytes);
  inspect(sqmax::resealed(bytes));
  inspect(sqmax::with_story(sound, bytes));
  find_ids(model, bytes);
  if (size < 30) split_by(std::string(bytes));
  return 0;
}
