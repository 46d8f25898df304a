// Fuzzing of reading: any bytes are an Error or interactions whose columns fit together.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"

#include "data/read/read_inputs.h"
#include "fuzz/fuzz_target.h"

namespace {

void check(bool condition) {
  if (!condition) __builtin_trap();
}

void read_as(std::string_view bytes, const sqmax::ReadOptions& options, std::size_t block_bytes) {
  try {
    const auto result = sqmax::read_inputs({{{{"input", bytes}}, {}}}, options, {}, block_bytes);
    const sqmax::Interactions& read = result.interactions;
    check(read.size() > 0 && read.size() == result.report.read);
    check(read.items.size() == read.users.size());
    check(read.times.empty() || read.times.size() == read.users.size());
    check(read.parts.empty() || read.parts.size() == read.users.size());
    for (const sqmax::Index user : read.users) check(user >= 0 && user < read.user_ids.size());
    for (const sqmax::Index item : read.items) check(item >= 0 && item < read.item_ids.size());
  } catch (const sqmax::Error&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_as(bytes, {}, 4096);
  read_as(bytes, {.skip_bad_lines = true}, 5);
  for (const sqmax::FormatSpec& format : sqmax::formats()) {
    read_as(bytes, {.format = format.name, .skip_bad_lines = true}, 64);
  }
  return 0;
}
