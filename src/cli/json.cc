// JSON shapes.
#include "cli/json.h"

namespace sqmax::cli {

Json to_json(const Evaluation& evaluation, std::span<const Interval> intervals) {
  Json json = Json::object();
  for (std::size_t m = 0; m < intervals.size(); ++m) {
    json[evaluation.user_metrics[m]] = {intervals[m].low, intervals[m].high};
  }
  return json;
}

Json to_json(const ReadColumns& columns) {
  Json json = Json::object();
  const auto add = [&json](const char* role, const std::string& column) {
    if (!column.empty()) json[role] = column;
  };
  add("user", columns.user);
  add("item", columns.item);
  add("rating", columns.rating);
  add("time", columns.time);
  add("split", columns.split);
  return json;
}

Json to_json(const ReadReport& report) {
  Json bad_lines = Json::array();
  for (const BadLine& bad : report.first_bad_lines) {
    bad_lines.push_back({{"file", bad.file}, {"line", bad.line}, {"reason", bad.reason}});
  }
  Json dropped = Json::object();
  for (const DroppedRows& rows : report.dropped) dropped[rows.reason] = rows.count;
  return {{"files", report.files},
          {"format", report.format},
          {"columns", to_json(report.columns)},
          {"delimiter", report.delimiter},
          {"header", report.header},
          {"bytes", report.bytes},
          {"lines", report.lines},
          {"interactions", report.read},
          {"below_min_rating", report.below_min_rating},
          {"dropped", dropped},
          {"bad_lines", report.bad_lines},
          {"first_bad_lines", bad_lines}};
}

Json list_of(std::span<const Finding> findings) {
  Json json = Json::array();
  for (const Finding& finding : findings) {
    json.push_back({{"kind", finding.kind}, {"sentence", finding.sentence}});
  }
  return json;
}

Json counts_of(const Dataset& dataset) {
  return {{"users", dataset.user_count()}, {"items", dataset.item_count()},
          {"train", dataset.train.nnz()},  {"valid", dataset.valid.nnz()},
          {"test", dataset.test.nnz()},    {"history", dataset.history.nnz()}};
}

}  // namespace sqmax::cli
