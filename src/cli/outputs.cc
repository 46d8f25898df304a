// Outputs.
#include "cli/outputs.h"

#include "sqmax/core/atomic_file.h"

#include "core/fail.h"

namespace sqmax::cli {

void check_no_input(const std::string& path, std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    std::error_code different;
    if (std::filesystem::equivalent(path, input, different)) {
      fail(Errc::BadOption, "{} would be overwritten by what is made of it; give -o another name.",
           path);
    }
  }
}

void check_output(const std::string& path, std::span<const std::string> inputs) {
  check_no_input(path, inputs);
  const AtomicFile attempt(path);
}

// What may hold a file may hold a folder, so the first one that is to be made is tried as a file.
void check_output_folder(const std::string& path, const std::vector<std::string>& names) {
  std::error_code unknown;
  std::filesystem::path folder = std::filesystem::absolute(path, unknown);
  std::filesystem::path missing;
  while (!std::filesystem::exists(folder, unknown) && folder.has_relative_path()) {
    missing = folder;
    folder = folder.parent_path();
  }
  if (!std::filesystem::is_directory(folder, unknown)) {
    fail(Errc::Io, "Cannot make the folder {}: {} is not a folder.", path, folder.string());
  }
  if (!missing.empty()) {
    const AtomicFile attempt(missing);
    return;
  }
  for (const std::string& name : names) {
    const AtomicFile attempt(std::filesystem::path(path) / name);
  }
}

std::unique_ptr<FolderLock> lock_output_folder(const std::string& path,
                                               const std::string& checkpoint) {
  if (path.empty()) return nullptr;
  std::error_code different;
  if (std::filesystem::equivalent(path, checkpoint, different)) return nullptr;
  return std::make_unique<FolderLock>(path);
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace sqmax::cli
