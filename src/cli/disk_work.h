// What commands that read raw files share: memory for their tables, and the disk beyond it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "sqmax/core/workspace.h"

#include "cli/session.h"

namespace sqmax::cli {

/// Where an output goes, and so there is surely room.
std::filesystem::path folder_of(const std::string& output);

/// Tables past `memory` bytes, or half of what is free if none are given, go to temporary files
/// beside the output. The session says so when it happens, and `on_disk` is called.
/// `session` must outlive it.
Workspace workspace_beside(const std::string& output, std::optional<std::int64_t> memory,
                           Session& session, std::function<void()> on_disk = {});

}  // namespace sqmax::cli
