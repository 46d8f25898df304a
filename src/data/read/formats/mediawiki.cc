// MediaWiki dumps: pagelinks, linktarget and page, joined by number to pairs of titles.
#include <algorithm>
#include <array>

#include "core/fail.h"
#include "data/read/wiki_titles.h"

namespace sqmax {

Format mediawiki_format();

namespace {

// In the order in which they must be read.
constexpr std::array<std::string_view, 3> kTables = {"page", "linktarget", "pagelinks"};

std::size_t order_of(const SqlTable& table) {
  const auto found = std::find(kTables.begin(), kTables.end(), table.name);
  return static_cast<std::size_t>(found - kTables.begin());
}

Certainty recognise(std::string_view head) {
  if (head.find("CREATE TABLE ") == std::string_view::npos &&
      head.find("INSERT INTO ") == std::string_view::npos) {
    return Certainty::No;
  }
  const SqlTable table = sql_table(head);
  if (order_of(table) < kTables.size()) return Certainty::Sure;
  return head.starts_with("-- ") && !table.name.empty() ? Certainty::Likely : Certainty::No;
}

struct Dump {
  InputStream* input = nullptr;
  SqlTable table;
};

std::vector<Dump> sorted_dumps(std::span<InputStream> inputs) {
  std::vector<Dump> dumps;
  for (InputStream& input : inputs) {
    dumps.push_back({&input, sql_table(input.head())});
    if (order_of(dumps.back().table) == kTables.size()) {
      fail(Errc::BadInput,
           "{} is a dump of '{}'; dumps of pagelinks, linktarget and page are needed.",
           input.name(), dumps.back().table.name);
    }
  }
  std::stable_sort(dumps.begin(), dumps.end(), [](const Dump& a, const Dump& b) {
    return order_of(a.table) < order_of(b.table);
  });
  return dumps;
}

void require_tables(const std::vector<Dump>& dumps) {
  std::array<bool, kTables.size()> present = {};
  bool needs_targets = false;
  for (const Dump& dump : dumps) {
    present[order_of(dump.table)] = true;
    needs_targets =
        needs_targets || (dump.table.name == "pagelinks" && has_target_numbers(dump.table));
  }
  for (std::size_t t = 0; t < kTables.size(); ++t) {
    if (present[t] || (kTables[t] == "linktarget" && !needs_targets)) continue;
    fail(Errc::BadInput, "{} is a MediaWiki dump, and the dump of its table {} is missing.",
         dumps[0].input->name(), kTables[t]);
  }
}

void read_dump(const Dump& dump, WikiTitles& titles, ReadContext& context) {
  Collector& collector = context.collector;
  collector.begin({.file = dump.input->name(),
                   .format = mediawiki_format().spec.name,
                   .columns = {.user = "source page", .item = "target page"}});
  if (dump.table.name == "page") {
    read_lines(*dump.input, *numbered_title_parser(dump.table, "page"), context,
               [&](const RecordBlock& block) {
                 collector.count(block);
                 titles.add_pages(block);
               });
  } else if (dump.table.name == "linktarget") {
    read_lines(*dump.input, *numbered_title_parser(dump.table, "lt"), context,
               [&](const RecordBlock& block) {
                 collector.count(block);
                 titles.add_targets(block);
               });
  } else {
    read_lines(*dump.input, *link_parser(dump.table, titles), context,
               [&](const RecordBlock& block) { collector.merge(block); });
  }
  collector.end(dump.input->stored_bytes());
}

void read(std::span<InputStream> inputs, ReadContext& context) {
  refuse_column_options(context.options, mediawiki_format().spec, false);
  const std::vector<Dump> dumps = sorted_dumps(inputs);
  require_tables(dumps);
  WikiTitles titles;
  for (const Dump& dump : dumps) read_dump(dump, titles, context);
}

}  // namespace

Format mediawiki_format() {
  return {.spec = {.name = "mediawiki",
                   .description = "SQL dumps of a wiki: pagelinks, linktarget and page together",
                   .example = "INSERT INTO `pagelinks` VALUES (1,0,7),(1,0,9);\n"},
          .recognise = &recognise,
          .read = &read,
          .joint = true};
}

}  // namespace sqmax
