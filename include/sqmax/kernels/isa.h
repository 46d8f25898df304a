// Instruction sets: which ones this machine can run, and a way to insist on one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sqmax {

/// Names of the instruction sets that the kernels were compiled for and this machine has.
std::vector<std::string> available_isas();

/// Makes every kernel use `name` from now on (the best one, if empty). Not while kernels run.
/// Throws Errc::BadOption if this machine does not have it.
void use_isa(std::string_view name);

}  // namespace sqmax
