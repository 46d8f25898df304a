// Half-written files, by their names.
#include "core/half_written.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "core/folders.h"

namespace sqmax {
namespace {

constexpr std::string_view kMark = ".tmp.";

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Letters and digits, and dots between them: what it is made of is AtomicFile's own affair.
bool is_word(std::string_view text) {
  if (text.empty() || text.front() == '.' || text.back() == '.') return false;
  return std::ranges::all_of(text, [](char c) { return c == '.' || is_letter_or_digit(c); });
}

}  // namespace

bool is_half_written(std::string_view name, std::string_view whole) {
  if (!name.starts_with(whole)) return false;
  const std::string_view rest = name.substr(whole.size());
  return rest.starts_with(kMark) && is_word(rest.substr(kMark.size()));
}

void remove_half_written(const std::filesystem::path& path) {
  const std::string whole = path.filename().string();
  std::vector<std::filesystem::path> found;
  std::error_code unknown;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(path), unknown)) {
    if (is_half_written(entry.path().filename().string(), whole)) found.push_back(entry.path());
  }
  for (const auto& each : found) std::filesystem::remove(each, unknown);
}

}  // namespace sqmax
