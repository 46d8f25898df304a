// The data doctor: counts first, a sentence only when they are unusual.
#include "sqmax/data/doctor.h"

#include <nlohmann/json.hpp>

#include "core/fail.h"

namespace sqmax {
namespace {

using Json = nlohmann::ordered_json;

std::string pair_text(const Repetition::Example& pair, const Interactions& ids) {
  return fmt::format("user '{}' with item '{}'", ids.user_ids[pair.user], ids.item_ids[pair.item]);
}

}  // namespace

void diagnose_repetition(const Repetition& repetition, const Interactions& ids,
                         std::vector<Finding>& findings) {
  if (repetition.duplicates > 0) {
    findings.push_back(
        {"duplicates", fmt::format("{} interactions repeat another and are counted "
                                   "once, for example {}.",
                                   repetition.duplicates, pair_text(repetition.duplicate, ids))});
  }
  if (repetition.leaks > 0) {
    findings.push_back({"leaking-split",
                        fmt::format("{} pairs occur in more than one part of the given split, for "
                                    "example {}; each is kept in the earliest part only.",
                                    repetition.leaks, pair_text(repetition.leak, ids))});
  }
}

void diagnose_shape(const Pairs&, const Interactions&, std::vector<Finding>&) {}

void diagnose_dataset(const Dataset&, std::vector<Finding>&) {}

std::string to_json(const std::vector<Finding>& findings) {
  Json json;
  json["findings"] = Json::array();
  for (const Finding& finding : findings) {
    json["findings"].push_back({{"kind", finding.kind}, {"sentence", finding.sentence}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sqmax
