// What tests of checkpoints share: where a run keeps itself, and its end.
#pragma once

#include "sqmax/train/checkpoint.h"

#include "tests/support/temporary_folder.h"

namespace sqmax {

/// The end of a process, as far as a test can have it.
struct Killed {};

/// Kept after each step.
inline CheckpointOptions kept_in(const TemporaryFolder& folder, bool resume) {
  return {.folder = folder.path() / "kept", .resume = resume, .every = {.seconds = 0.0}};
}

}  // namespace sqmax
