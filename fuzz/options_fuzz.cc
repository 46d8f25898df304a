// Any words after any verb: understood, or refused by a sentence.
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
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] == '\n') {
      words.emplace_back();
    } else if (bytes[i] != 0) {
      words.back() += static_cast<char>(bytes[i]);
    }
  }
  for (const sqmax::cli::Command& command : sqmax::cli::commands()) {
    sqmax::try_it([&] { command.parse(words); });
  }
  sqmax::try_it([&] { sqmax::require(sqmax::parse_budget(words.front()).trials > 0); });
  sqmax::try_it([&] { sqmax::require(!sqmax::parse_metrics(words.front()).empty()); });
  return 0;
}
