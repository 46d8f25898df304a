// Object lines: a JSON object or a Python dict per line, as Amazon's and Steam's reviews.
#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "core/fail.h"
#include "data/read/line_reader.h"
#include "data/read/object_scanner.h"
#include "data/read/row_rules.h"
#include "data/read/values.h"

namespace sqmax {

Format json_lines_format();

namespace {

constexpr std::size_t kSampledLines = 100;

Certainty recognise(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' ? Certainty::Likely : Certainty::No;
}

/// The keys of the first lines, in the order of appearance.
struct SampledKeys {
  std::vector<std::string> all;
  std::vector<std::string> everywhere;  // "" for a key that some line lacks
  std::map<std::string, std::string> first_value;
};

SampledKeys sample_keys(InputStream& input) {
  SampledKeys keys;
  std::map<std::string, std::size_t> counts;
  std::vector<ObjectMember> members;
  std::size_t objects = 0;
  for (const std::string_view line : sample_lines(input.head(), kSampledLines)) {
    if (scan_object(line, members) != nullptr) continue;
    ++objects;
    for (const ObjectMember& member : members) {
      std::string key(member.key.source);
      if (counts[key]++ == 0) keys.all.push_back(key);
      keys.first_value.try_emplace(key, member.value.source);
    }
  }
  for (const std::string& key : keys.all) {
    keys.everywhere.push_back(counts[key] >= objects ? key : "");
  }
  return keys;
}

// Keys of every line first: a key that is sometimes missing makes bad lines.
ColumnPlan choose_keys(const SampledKeys& keys, const std::string& file,
                       const ReadOptions& options) {
  ColumnPlan plan = columns_by_option(options, file, keys.all, true);
  add_familiar_columns(options, keys.everywhere, plan);
  ReadOptions sides = options;
  for (std::string* other : {&sides.rating, &sides.time, &sides.split}) *other = "none";
  add_familiar_columns(sides, keys.all, plan);
  for (const Role role : {Role::User, Role::Item}) {
    if (plan[role]) continue;
    fail(Errc::NotFound, "{} has no key that is known for the {}; name one by --{} from: {}.", file,
         role_name(role), role_name(role), fmt::join(keys.all, ", "));
  }
  if (plan[Role::Time] && options.time.empty() &&
      !parse_time(keys.first_value.at(keys.all[*plan[Role::Time]]))) {
    plan[Role::Time].reset();
  }
  return plan;
}

class ObjectParser final : public LineParser {
 public:
  ObjectParser(const ColumnPlan& plan, const std::vector<std::string>& keys, const RowRules& rules)
      : rules_(rules) {
    for (const Role role : kRoles) {
      if (plan[role]) wanted_.push_back({role, keys[*plan[role]]});
    }
  }

  void parse(std::string_view line, RecordBlock& block) const override {
    thread_local std::vector<ObjectMember> members;
    if (trimmed(line).empty()) return;
    if (const char* flaw = scan_object(line, members)) return block.bad(flaw);
    Row row;
    for (const Wanted& wanted : wanted_) {
      const auto found = std::find_if(members.begin(), members.end(), [&](const ObjectMember& m) {
        return m.key.source == wanted.key;
      });
      if (found == members.end()) return block.bad(fmt::format("it has no '{}'", wanted.key));
      const auto text = text_of(found->value, block);
      if (!text) return block.bad(fmt::format("its '{}' is not a text or a number", wanted.key));
      cell_of(wanted.role, row) = *text;
    }
    rules_.accept(row, block);
  }

 private:
  struct Wanted {
    Role role;
    std::string key;
  };

  static std::string_view& cell_of(Role role, Row& row) {
    switch (role) {
      case Role::User:
        return row.user;
      case Role::Item:
        return row.item;
      case Role::Rating:
        return row.rating;
      case Role::Time:
        return row.time;
      case Role::Split:
        break;
    }
    return row.split;
  }

  static std::optional<std::string_view> text_of(const ObjectValue& value, RecordBlock& block) {
    if (value.kind == ObjectValue::Kind::Number) return value.source;
    if (value.kind != ObjectValue::Kind::Text) return std::nullopt;
    if (!value.escaped) return value.source;
    auto text = unescaped(value.source);
    if (!text) return std::nullopt;
    return block.keep(std::move(*text));
  }

  std::vector<Wanted> wanted_;
  RowRules rules_;
};

void read(std::span<InputStream> inputs, ReadContext& context) {
  InputStream& input = inputs[0];
  const SampledKeys keys = sample_keys(input);
  if (keys.all.empty()) {
    fail(Errc::BadInput, "{}: its first lines are not objects in braces, one on each line.",
         input.name());
  }
  const ColumnPlan plan = choose_keys(keys, input.name(), context.options);
  const RowRules rules = row_rules(plan, context.options, input.name());
  const InputFacts facts = {.file = input.name(),
                            .format = json_lines_format().spec.name,
                            .columns = named_columns(plan, keys.all),
                            .has_time = rules.has_time,
                            .has_split = rules.has_split};
  if (const auto swapped = swapped_names(input.name(), facts.columns)) {
    context.collector.find(swapped->kind, swapped->sentence);
  }
  collect_lines(input, ObjectParser(plan, keys.all, rules), context, facts);
}

}  // namespace

Format json_lines_format() {
  return {.spec = {.name = "json-lines",
                   .description = "a JSON object or Python dict per line: Amazon, Steam, Yelp",
                   .example = "{\"reviewerID\": \"A1\", \"asin\": \"B2\", \"overall\": 5.0}\n"},
          .recognise = &recognise,
          .read = &read};
}

}  // namespace sqmax
