// Any words after any verb: understood, or refused by a sentence. The first byte chooses the verb,
// since to describe the options of all takes much longer than to read a few words.
#include <string>
#include <vector>

#include "sqmax/core/error.h"
#include "sqmax/rank/metric.h"
#include "sqmax/train/budget.h"

#include "cli/command.h"
#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"

// A line is a word.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto commands = sqmax::cli::commands();
  sqmax::ByteSource source({bytes, size});
  const std::uint8_t verb = source.next();
  std::vector<std::string> words(1);
  while (!source.empty()) {
    const std::uint8_t letter = source.next();
    if (letter == '\n') {
      words.emplace_back();
    } else if (letter != 0) {
      words.back() += static_cast<char>(letter);
    }
  }
  sqmax::try_it([&] { commands[verb % commands.size()].parse(words); });
  sqmax::try_it([&] { sqmax::require(sqmax::parse_budget(words.front()).trials > 0); });
  sqmax::try_it([&] { sqmax::require(!sqmax::parse_metrics(words.front()).empty()); });
  return 0;
}
