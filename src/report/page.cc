// to_page(): our page, the chart library and the data in one file.          docs/compare.md
#include <string_view>
#include <utility>

#include "report/json.h"
#include "report/page_files.h"
#include "report/words.h"

namespace sqmax {
namespace {

// Inside a script element nothing may look like markup: < and > and & as JSON escapes, and what is
// not ASCII too, since two line ends of Unicode are line ends of scripts.
std::string script_text(const Json& json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

Json page_data(const Comparison& comparison) {
  Json json = to_json(comparison);
  json["title"] = comparison.title;
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    json["results"][m]["settings"] = settings_text(comparison.methods[m].options);
  }
  for (std::size_t r = 0; r < comparison.races.size(); ++r) {
    const Race& race = comparison.races[r];
    json["races"][r]["sentence"] = race_sentence(race);
    json["races"][r]["settings"] = settings_text(race.options);
    for (std::size_t s = 0; s < race.racers.size(); ++s) {
      json["races"][r]["solvers"][s]["rate"]["text"] = rate_text(race.racers[s].rate);
    }
  }
  return json;
}

// {{name}} becomes what it names; what comes in is not looked at again.
std::string filled(std::string_view page, std::string_view name, std::string_view text) {
  const std::string mark = "{{" + std::string(name) + "}}";
  const std::size_t place = page.find(mark);
  std::string result(page.substr(0, place));
  result += text;
  return result += page.substr(place + mark.size());
}

}  // namespace

// The data come last, so that whatever they hold stays as it is.
std::string to_page(const Comparison& comparison) {
  std::string page(embedded::index_html);
  page = filled(page, "style", embedded::style_css);
  page = filled(page, "charts", embedded::chart_js);
  for (const auto& [name, text] :
       {std::pair("elements", embedded::elements_js), std::pair("figures", embedded::figures_js),
        std::pair("page", embedded::page_js)}) {
    page = filled(page, name, text);
  }
  return filled(page, "data", script_text(page_data(comparison)));
}

std::string to_json_text(const Comparison& comparison) {
  return to_json(comparison).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sqmax
