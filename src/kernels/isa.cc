// Choosing an instruction set through Highway.
#include "sqmax/kernels/isa.h"

#include <cstdint>

#include <hwy/targets.h>

#include "core/fail.h"

namespace sqmax {
namespace {

void allow(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

void use_isa(std::string_view name) {
  allow(0);
  if (name.empty()) return;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (hwy::TargetName(target) == name) return allow(target);
  }
  std::string known;
  for (const std::string& isa : available_isas()) known += known.empty() ? isa : ", " + isa;
  fail(Errc::BadOption, "There is no instruction set '{}' here; there are: {}.", name, known);
}

}  // namespace sqmax
