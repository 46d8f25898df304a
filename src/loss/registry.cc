// The list of losses, generated from the files in src/loss/losses.
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "sqmax/loss/loss_spec.h"

#include "core/fail.h"
#include "loss/declare.h"

namespace sqmax {

std::span<const LossSpec> losses() {
#define LOSS(name) name##_loss(),
  static const std::vector<LossSpec> table = {
#include "loss/losses.inc"
  };
#undef LOSS
  return table;
}

const LossSpec& find_loss(std::string_view name) {
  std::vector<std::string> names;
  for (const LossSpec& loss : losses()) {
    if (loss.name == name) return loss;
    names.push_back(loss.name);
  }
  fail(Errc::BadOption, "There is no loss called '{}'; there are: {}.", name,
       fmt::join(names, ", "));
}

}  // namespace sqmax
