// Estimates of reading raw files.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "cli/memory_estimate.h"
#include "data/read/decoder.h"
#include "data/read/zip_archive.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kPerByteOfText = 12;  // ids, positions, pairs and their sorted copies
// Of tables on disk, beside an eighth of the limit: those that are mapped until somebody looks.
constexpr std::int64_t kPagesOnTheWay = std::int64_t{64} << 20;

// As the reader looks: by the first bytes, whatever the name. Of a pipe nobody knows.
bool is_plain_file(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  std::array<char, kMagicBytes> first = {};
  std::ifstream in(path, std::ios::binary);
  in.read(first.data(), first.size());
  const std::string_view bytes(first.data(), static_cast<std::size_t>(in.gcount()));
  return !is_compressed(bytes) && !is_zip(bytes);
}

}  // namespace

MemoryEstimate reading_estimate(const std::vector<std::string>& inputs, std::int64_t limit) {
  const std::int64_t on_disk = limit + limit / 8 + kPagesOnTheWay;
  std::int64_t text = 0;
  for (const std::string& input : inputs) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(input, unknown);
    if (unknown || !is_plain_file(input)) return {.bytes = program_bytes() + on_disk};
    text += static_cast<std::int64_t>(size);
  }
  return {.bytes = program_bytes() + std::min(kPerByteOfText * text, on_disk)};
}

}  // namespace sqmax::cli
