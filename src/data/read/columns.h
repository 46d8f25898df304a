// Columns: which of an input's named columns is the user, the item, the rating, …
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/data/read.h"

namespace sqmax {

enum class Role { User, Item, Rating, Time, Split };
inline constexpr std::array<Role, 5> kRoles = {Role::User, Role::Item, Role::Rating, Role::Time,
                                               Role::Split};

/// "the user", …: for sentences.
std::string_view role_name(Role role);

/// How well a name is known for a role: 0 is best, larger is worse, none is unknown. Case, blanks,
/// underscores and RecBole's ":type" do not count.
std::optional<std::size_t> familiarity(Role role, std::string_view name);

/// What the options say of a role: a name, "none" or nothing.
const std::string& option_of(Role role, const ReadOptions& options);

/// A column per role; none: there is no such column.
class ColumnPlan {
 public:
  std::optional<std::size_t>& operator[](Role role) { return columns_[index(role)]; }
  const std::optional<std::size_t>& operator[](Role role) const { return columns_[index(role)]; }
  bool uses(std::size_t column) const;

 private:
  static std::size_t index(Role role) { return static_cast<std::size_t>(role); }
  std::array<std::optional<std::size_t>, kRoles.size()> columns_;
};

/// What the options name, by name if `names` are real, or by position. Throws Errc::NotFound with
/// the columns there are, and Errc::BadOption if two roles share one.
ColumnPlan columns_by_option(const ReadOptions& options, const std::string& file,
                             const std::vector<std::string>& names, bool has_header);

/// Adds the roles whose name is well known; the best known name wins, then the first.
void add_familiar_columns(const ReadOptions& options, const std::vector<std::string>& names,
                          ColumnPlan& plan);

/// Adds the user and the item if they are missing: the first columns without a role.
void add_leading_columns(std::size_t column_count, ColumnPlan& plan);

ReadColumns named_columns(const ColumnPlan& plan, const std::vector<std::string>& names);

/// A finding if the names say that users and items are swapped.
std::optional<Finding> swapped_names(const std::string& file, const ReadColumns& columns);

}  // namespace sqmax
