// Stored tables: columns, ids, and the report as JSON.
#include "sqmax/data/stored_table.h"

#include <algorithm>
#include <system_error>

#include <nlohmann/json.hpp>

#include "core/shallow_json.h"
#include "data/stored_parts.h"

namespace sqmax {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ReadReport& report) {
  Json dropped = Json::array();
  for (const DroppedRows& rows : report.dropped) dropped.push_back({rows.reason, rows.count});
  Json bad = Json::array();
  for (const BadLine& line : report.first_bad_lines) {
    bad.push_back({line.file, line.line, line.reason});
  }
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({finding.kind, finding.sentence});
  }
  const ReadColumns& columns = report.columns;
  return {{"files", report.files},
          {"bytes", report.bytes},
          {"lines", report.lines},
          {"read", report.read},
          {"below_min_rating", report.below_min_rating},
          {"dropped", dropped},
          {"bad_lines", report.bad_lines},
          {"first_bad_lines", bad},
          {"format", report.format},
          {"columns", {columns.user, columns.item, columns.rating, columns.time, columns.split}},
          {"delimiter", report.delimiter},
          {"header", report.header},
          {"findings", findings}};
}

ReadReport report_of(const Json& json) {
  const auto text = [](const Json& list, std::size_t place) {
    return list.at(place).get<std::string>();
  };
  const Json& columns = json.at("columns");
  ReadReport report{.files = json.at("files").get<std::vector<std::string>>(),
                    .bytes = whole_number(json.at("bytes")),
                    .lines = whole_number(json.at("lines")),
                    .read = whole_number(json.at("read")),
                    .below_min_rating = whole_number(json.at("below_min_rating")),
                    .bad_lines = whole_number(json.at("bad_lines")),
                    .format = json.at("format").get<std::string>(),
                    .columns = {text(columns, 0), text(columns, 1), text(columns, 2),
                                text(columns, 3), text(columns, 4)},
                    .delimiter = json.at("delimiter").get<std::string>(),
                    .header = json.at("header").get<bool>()};
  for (const Json& rows : json.at("dropped")) {
    report.dropped.push_back({text(rows, 0), whole_number(rows.at(1))});
  }
  for (const Json& line : json.at("first_bad_lines")) {
    report.first_bad_lines.push_back({text(line, 0), whole_number(line.at(1)), text(line, 2)});
  }
  for (const Json& finding : json.at("findings")) {
    report.findings.push_back({text(finding, 0), text(finding, 1)});
  }
  return report;
}

std::span<const std::uint8_t> as_bytes(std::span<const Part> parts) {
  return {reinterpret_cast<const std::uint8_t*>(parts.data()), parts.size()};
}

Array<Part> parts_of(const PartReader& reader) {
  const auto bytes = reader.array<std::uint8_t>("parts");
  std::vector<Part> parts;
  for (const std::uint8_t byte : bytes) {
    reader.check(byte <= static_cast<std::uint8_t>(Part::Test), "a part is none");
    parts.push_back(static_cast<Part>(byte));
  }
  return parts;
}

Array<Index> positions(const PartReader& reader, const std::string& name, Index count) {
  auto column = reader.array<Index>(name);
  reader.check(std::ranges::all_of(column, [count](Index p) { return p >= 0 && p < count; }),
               "its column '{}' goes past its ids", name);
  return column;
}

}  // namespace

void save_table(const ReadResult& result, const std::string& identity,
                const std::filesystem::path& path) {
  const Interactions& table = result.interactions;
  const Shape shape = {table.size()};
  TensorFileWriter writer("table");
  writer.set("identity", identity);
  writer.set("report", to_json(result.report).dump(-1, ' ', false, Json::error_handler_t::replace));
  store(writer, "user_ids", table.user_ids);
  store(writer, "item_ids", table.item_ids);
  writer.add<Index>("users", shape, table.users);
  writer.add<Index>("items", shape, table.items);
  if (!table.times.empty()) writer.add<std::int64_t>("times", shape, table.times);
  if (!table.parts.empty()) writer.add<std::uint8_t>("parts", shape, as_bytes(table.parts));
  writer.write(path);
}

std::optional<ReadResult> load_table(const std::string& identity,
                                     const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return {};
  const PartReader reader(path, "table");
  if (reader.file().metadata("identity") != identity) return {};
  ReadResult result;
  try {
    result.report = report_of(Json::parse(reader.json("report")));
  } catch (const Json::exception&) {
    reader.check(false, "its report is damaged");
  }
  Interactions& table = result.interactions;
  table.user_ids = reader.ids("user_ids");
  table.item_ids = reader.ids("item_ids");
  table.users = positions(reader, "users", table.user_ids.size());
  table.items = positions(reader, "items", table.item_ids.size());
  if (reader.file().has("times")) table.times = reader.array<std::int64_t>("times");
  if (reader.file().has("parts")) table.parts = parts_of(reader);
  const auto fits = [&](std::size_t size) { return size == 0 || size == table.users.size(); };
  reader.check(table.items.size() == table.users.size() && fits(table.times.size()) &&
                   fits(table.parts.size()),
               "its columns are not of one length");
  return result;
}

}  // namespace sqmax
