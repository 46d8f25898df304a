// The data doctor, after the split: parts that are empty or that training cannot serve.
#include <algorithm>

#include "sqmax/data/doctor.h"

#include "core/fail.h"
#include "core/wording.h"

namespace sqmax {
namespace {

constexpr Index kShortHistory = 2;  // items; fewer than anybody's taste needs

struct WantedPart {
  const char* name;
  CsrView matrix;
  double ratio;
};

void diagnose_empty(const Dataset& dataset, const SplitOptions& options,
                    std::vector<Finding>& findings) {
  if (options.kind == SplitKind::None) return;
  for (const auto& [name, matrix, ratio] :
       {WantedPart{"training", dataset.train, options.ratios.train},
        WantedPart{"validation", dataset.valid, options.ratios.valid},
        WantedPart{"test", dataset.test, options.ratios.test}}) {
    if (matrix.nnz() > 0 || ratio == 0.0) continue;
    findings.push_back({"empty-part", fmt::format("--split {} leaves the {} part empty.",
                                                  to_text(options.kind), name)});
  }
}

void diagnose_users(const Dataset& dataset, std::vector<Finding>& findings) {
  Index count = 0;
  Index example = -1;
  for (Index u = 0; u < dataset.user_count(); ++u) {
    const auto size = [u](const Csr& part) { return part.view().row_size(u); };
    const bool held_out = size(dataset.valid) + size(dataset.test) > 0;
    if (!held_out || size(dataset.train) + size(dataset.history) > 0) continue;
    if (count++ == 0) example = u;
  }
  if (count == 0) return;
  findings.push_back(
      {"untrained-users",
       fmt::format("{} of validation or test {} nothing to learn from, for example '{}'.",
                   number_of(count, "user", "users"), worded(count, "has", "have"),
                   dataset.users[example])});
}

void diagnose_items(const Dataset& dataset, std::vector<Finding>& findings) {
  const std::vector<Index> trained = column_degrees(dataset.train);
  std::vector<Index> held_out = column_degrees(dataset.valid);
  for (const Index item : dataset.test.indices) ++held_out[at(item)];
  Index count = 0;
  Offset pairs = 0;
  Index example = -1;
  for (std::size_t i = 0; i < trained.size(); ++i) {
    if (trained[i] > 0 || held_out[i] == 0) continue;
    if (count++ == 0) example = static_cast<Index>(i);
    pairs += held_out[i];
  }
  if (count == 0) return;
  findings.push_back(
      {"untrained-items",
       fmt::format("{} in training, for example '{}'; {} with {} cannot be predicted.",
                   number_of(count, "item never occurs", "items never occur"),
                   dataset.items[example],
                   pairs == 1 ? "the held-out interaction"
                              : fmt::format("the {} held-out interactions", pairs),
                   worded(count, "it", "them"))});
}

void diagnose_short(const Dataset& dataset, std::vector<Finding>& findings) {
  std::vector<Index> sizes = row_degrees(dataset.train);
  std::erase(sizes, 0);
  const auto is_short = [](Index size) { return size <= kShortHistory; };
  const auto count = std::count_if(sizes.begin(), sizes.end(), is_short);
  if (count == 0 || 2 * at(count) < sizes.size()) return;
  findings.push_back(
      {"short-histories",
       fmt::format("{} of {} {} at most {} items to learn from; --min-user "
                   "drops those with few.",
                   count, sizes.size(), worded(std::ssize(sizes), "user has", "users have"),
                   kShortHistory)});
}

}  // namespace

void diagnose_split(const Dataset& dataset, const SplitOptions& options, Offset dropped,
                    std::vector<Finding>& findings) {
  if (dropped > 0) {
    findings.push_back(
        {"unseen-dropped",
         fmt::format("{} set aside: {} user or item does not occur before the "
                     "cut in time.",
                     number_of(dropped, "held-out interaction is", "held-out interactions are"),
                     worded(dropped, "its", "their"))});
  }
  diagnose_empty(dataset, options, findings);
  diagnose_users(dataset, findings);
  diagnose_items(dataset, findings);
  diagnose_short(dataset, findings);
}

}  // namespace sqmax
