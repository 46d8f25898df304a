// Models in memory: for whoever keeps one while others may write to its file.
#pragma once

#include <filesystem>

#include "sqmax/model/model.h"

namespace sqmax {

/// As load_model(), but nothing of the model is in a mapped file: the file is read once, and what
/// was read is checked. Throws Errc::BadFile if it is not a sound model.
Model load_model_in_memory(const std::filesystem::path& path);

}  // namespace sqmax
