// Workspaces of the program.
#include "cli/disk_work.h"

#include <utility>

#include <fmt/format.h>

#include "cli/machine.h"
#include "cli/memory_size.h"

namespace sqmax::cli {

std::filesystem::path folder_of(const std::string& output) {
  const auto parent = std::filesystem::path(output).parent_path();
  return parent.empty() ? "." : parent;
}

Workspace workspace_beside(const std::string& output, std::optional<std::int64_t> memory,
                           Session& session, std::function<void()> on_disk) {
  const std::int64_t limit = memory.value_or(available_memory_bytes() / 2);
  const auto tell = [folder = folder_of(output), limit, &session, heard = std::move(on_disk)] {
    session.say(fmt::format("working on disk, in temporary files in {}: {} of memory are full",
                            folder.string(), memory_text(limit)));
    if (heard) heard();
  };
  return {limit, folder_of(output), tell};
}

}  // namespace sqmax::cli
