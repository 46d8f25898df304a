// NamedFiles: where they really lie.
#include "cli/named_files.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "core/fail.h"
#include "core/folders.h"

namespace sqmax::cli {
namespace {

namespace fs = std::filesystem;

// One name for whatever leads there, as far as it is there.
fs::path real(const fs::path& path) {
  std::error_code unknown;
  const fs::path whole = fs::absolute(path, unknown);
  const fs::path found = fs::weakly_canonical(whole, unknown);
  const fs::path best = unknown ? whole.lexically_normal() : found;
  return best.has_filename() ? best : best.parent_path();
}

bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code different;
  return a == b || fs::equivalent(a, b, different);
}

// A link lies where it is, and what is written through it where it leads.
bool is_in(const fs::path& folder, const fs::path& file) {
  const std::array places = {real(file), real(folder_of(file)),
                             real(folder_of(without_links(file)))};
  return std::ranges::any_of(places, [&](const fs::path& place) { return is_same(place, folder); });
}

}  // namespace

void check_none_in(const fs::path& folder, std::span<const NamedFile> files) {
  const fs::path place = real(folder);
  for (const NamedFile& file : files) {
    if (file.path.empty() || !is_in(place, file.path)) continue;
    fail(Errc::BadOption,
         "{}{}{} lies in {}, which is for the checkpoint alone; give --checkpoint another folder.",
         file.name, file.name.empty() ? "" : " ", file.path, folder.string());
  }
}

}  // namespace sqmax::cli
