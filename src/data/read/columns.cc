// Columns: options first, then well-known names, then positions.
#include "data/read/columns.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "core/fail.h"
#include "core/wording.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

bool is_optional(Role role) { return role != Role::User && role != Role::Item; }

std::size_t find_column(Role role, const std::string& wanted, const std::string& file,
                        const std::vector<std::string>& names, bool has_header) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return name == wanted || name.substr(0, name.find(':')) == wanted;
  });
  if (has_header && found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const auto position = parse_count(wanted);
  if (position && *position >= 1 && *position <= static_cast<Offset>(names.size())) {
    return at(*position - 1);
  }
  if (!has_header) {
    fail(Errc::NotFound, "{} has no column '{}' for --{}: it has no header and {}.", file, wanted,
         role_name(role), number_of(std::ssize(names), "column", "columns"));
  }
  fail(Errc::NotFound, "{} has no column '{}' for --{}; its columns are: {}.", file, wanted,
       role_name(role), fmt::join(names, ", "));
}

std::optional<std::size_t> most_familiar(Role role, const std::vector<std::string>& names,
                                         const ColumnPlan& plan) {
  std::optional<std::size_t> best;
  std::optional<std::size_t> best_rank;
  for (std::size_t column = 0; column < names.size(); ++column) {
    const auto rank = familiarity(role, names[column]);
    if (!rank || plan.uses(column) || (best_rank && *best_rank <= *rank)) continue;
    best = column;
    best_rank = rank;
  }
  return best;
}

}  // namespace

bool ColumnPlan::uses(std::size_t column) const {
  return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

ColumnPlan columns_by_option(const ReadOptions& options, const std::string& file,
                             const std::vector<std::string>& names, bool has_header) {
  ColumnPlan plan;
  for (const Role role : kRoles) {
    const std::string& wanted = option_of(role, options);
    if (wanted.empty() || (is_optional(role) && wanted == "none")) continue;
    const std::size_t column = find_column(role, wanted, file, names, has_header);
    if (plan.uses(column)) {
      fail(Errc::BadOption, "--{} names the column '{}', which has another role already.",
           role_name(role), wanted);
    }
    plan[role] = column;
  }
  return plan;
}

void add_familiar_columns(const ReadOptions& options, const std::vector<std::string>& names,
                          ColumnPlan& plan) {
  for (const Role role : kRoles) {
    if (!plan[role] && option_of(role, options).empty()) {
      plan[role] = most_familiar(role, names, plan);
    }
  }
}

void add_leading_columns(std::size_t column_count, ColumnPlan& plan) {
  for (const Role role : {Role::User, Role::Item}) {
    for (std::size_t column = 0; column < column_count && !plan[role]; ++column) {
      if (!plan.uses(column)) plan[role] = column;
    }
  }
}

ReadColumns named_columns(const ColumnPlan& plan, const std::vector<std::string>& names) {
  const auto name = [&](Role role) { return plan[role] ? names[*plan[role]] : std::string(); };
  return {.user = name(Role::User),
          .item = name(Role::Item),
          .rating = name(Role::Rating),
          .time = name(Role::Time),
          .split = name(Role::Split)};
}

std::optional<Finding> swapped_names(const std::string& file, const ReadColumns& columns) {
  const bool user_is_item = familiarity(Role::Item, columns.user).has_value();
  const bool item_is_user = familiarity(Role::User, columns.item).has_value();
  if (!user_is_item && !item_is_user) return std::nullopt;
  return Finding{"transposed-columns",
                 fmt::format("{}: users are read from '{}' and items from '{}', which by their "
                             "names look swapped.",
                             file, columns.user, columns.item)};
}

}  // namespace sqmax
