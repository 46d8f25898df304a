// A solver's state in a file.                                          docs/file-formats.md
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "sqmax/solve/state_keeper.h"
#include "sqmax/train/curve.h"
#include "sqmax/train/state_interval.h"

namespace sqmax {

/// Whole, or not at all. `about`: text that comes back with it.
void write_state(const std::filesystem::path& path, const std::string& about,
                 const ShowState& show);

/// Fills in and returns the text; the file must be there. Throws Errc::BadFile if it is not of a
/// state of the same shape.
std::string read_state(const std::filesystem::path& path, const ShowState& show);

/// A clock that never goes back; tests have their own.
using TellTime = std::function<std::chrono::steady_clock::time_point()>;

/// Keeps the state of the fit of a trial there, `every` so often, together with the curve of the
/// trial if somebody records it.
std::unique_ptr<StateKeeper> file_keeper(std::filesystem::path path, StateInterval every, int trial,
                                         CurveRecorder* recorder,
                                         TellTime now = &std::chrono::steady_clock::now);

}  // namespace sqmax
