// WikiTitles: rows of page, linktarget and pagelinks.
#include "data/read/wiki_titles.h"

#include <algorithm>

#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr std::string_view kMainNamespace = "0";

// Without a CREATE TABLE the columns are those of today's MediaWiki.
SqlTable with_columns(SqlTable table, std::vector<std::string> usual) {
  if (table.columns.empty()) table.columns = std::move(usual);
  return table;
}

SqlTable link_table(const SqlTable& table) {
  return with_columns(table, {"pl_from", "pl_from_namespace", "pl_target_id"});
}

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

class NumberedTitleParser final : public SqlParser {
 public:
  NumberedTitleParser(const SqlTable& table, const std::string& prefix)
      : number_(table.column(prefix + "_id").value_or(kNowhere)),
        namespace_(table.column(prefix + "_namespace").value_or(kNowhere)),
        title_(table.column(prefix + "_title").value_or(kNowhere)) {}

 private:
  const char* row(std::span<const SqlCell> cells, RecordBlock& block) const override {
    if (std::max({number_, namespace_, title_}) >= cells.size()) {
      return "a row lacks its number, namespace or title";
    }
    if (!parse_count(cells[number_].source)) return "the number of a page is not a number";
    if (cells[namespace_].source != kMainNamespace) return nullptr;
    const std::string_view title = sql_text(cells[title_], block);
    if (title.empty() || !is_valid_utf8(title)) return "a title is empty or not valid UTF-8";
    block.add(cells[number_].source, title);
    return nullptr;
  }

  std::size_t number_;
  std::size_t namespace_;
  std::size_t title_;
};

class LinkParser final : public SqlParser {
 public:
  LinkParser(const SqlTable& table, const WikiTitles& titles)
      : from_(table.column("pl_from").value_or(kNowhere)),
        from_namespace_(table.column("pl_from_namespace").value_or(kNowhere)),
        target_(table.column("pl_target_id").value_or(kNowhere)),
        namespace_(table.column("pl_namespace").value_or(kNowhere)),
        title_(table.column("pl_title").value_or(kNowhere)),
        titles_(titles) {}

 private:
  const char* row(std::span<const SqlCell> cells, RecordBlock& block) const override {
    const auto from = from_ < cells.size() ? parse_count(cells[from_].source) : std::nullopt;
    if (!from) return "a link lacks the number of its source";
    if (from_namespace_ < cells.size() && cells[from_namespace_].source != kMainNamespace) {
      return dropped(Drop::SourceElsewhere, block);
    }
    const auto source = titles_.pages.find(*from);
    if (source == titles_.pages.end()) return dropped(Drop::SourceMissing, block);
    if (target_ < cells.size() && cells[target_].source != "NULL") {
      return numbered_link(source->second, cells[target_], block);
    }
    return titled_link(source->second, cells, block);
  }

  const char* numbered_link(Index source, const SqlCell& cell, RecordBlock& block) const {
    const auto number = parse_count(cell.source);
    if (!number) return "the target of a link is not a number";
    const auto target = titles_.targets.find(*number);
    if (target == titles_.targets.end()) return dropped(Drop::TargetElsewhere, block);
    return add(source, target->second, block);
  }

  const char* titled_link(Index source, std::span<const SqlCell> cells, RecordBlock& block) const {
    if (std::max(namespace_, title_) >= cells.size()) return "a link lacks its target";
    if (cells[namespace_].source != kMainNamespace) return dropped(Drop::TargetElsewhere, block);
    const auto target = titles_.titles.find(sql_text(cells[title_], block));
    return add(source, target.value_or(WikiTitles::kMissing), block);
  }

  const char* add(Index source, Index target, RecordBlock& block) const {
    if (target == WikiTitles::kMissing) return dropped(Drop::TargetMissing, block);
    block.add(titles_.titles[source], titles_.titles[target]);
    return nullptr;
  }

  static const char* dropped(Drop reason, RecordBlock& block) {
    block.drop(reason);
    return nullptr;
  }

  std::size_t from_;
  std::size_t from_namespace_;
  std::size_t target_;
  std::size_t namespace_;
  std::size_t title_;
  const WikiTitles& titles_;
};

std::int64_t number_in(const RecordBlock& block, std::size_t row) {
  return *parse_count(block.user_ids.ids()[at(block.users[row])]);
}

std::string_view title_in(const RecordBlock& block, std::size_t row) {
  return block.item_ids.ids()[at(block.items[row])];
}

}  // namespace

void WikiTitles::add_pages(const RecordBlock& block) {
  for (std::size_t row = 0; row < block.users.size(); ++row) {
    pages.emplace(number_in(block, row), titles.insert(title_in(block, row)));
  }
}

void WikiTitles::add_targets(const RecordBlock& block) {
  for (std::size_t row = 0; row < block.users.size(); ++row) {
    targets.emplace(number_in(block, row), titles.find(title_in(block, row)).value_or(kMissing));
  }
}

std::unique_ptr<LineParser> numbered_title_parser(const SqlTable& table,
                                                  const std::string& prefix) {
  return std::make_unique<NumberedTitleParser>(
      with_columns(table, {prefix + "_id", prefix + "_namespace", prefix + "_title"}), prefix);
}

std::unique_ptr<LineParser> link_parser(const SqlTable& table, const WikiTitles& titles) {
  return std::make_unique<LinkParser>(link_table(table), titles);
}

bool has_target_numbers(const SqlTable& pagelinks) {
  return link_table(pagelinks).column("pl_target_id").has_value();
}

}  // namespace sqmax
