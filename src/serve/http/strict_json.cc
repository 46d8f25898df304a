// strict_json() on nlohmann's parser, which checks UTF-8 and does not recurse.
#include "serve/http/strict_json.h"

#include <algorithm>
#include <set>
#include <vector>

#include "serve/http/refusal.h"

namespace sqmax::http {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 16;

/// Hears what the parser finds.
class Watch {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kDeepest) {
      refuse("bad_json", "", "The body is nested more than {} levels deep.", kDeepest);
    }
    if (event == Json::parse_event_t::object_start) names_.emplace_back();
    if (event == Json::parse_event_t::object_end && !names_.empty()) names_.pop_back();
    if (event == Json::parse_event_t::key) add(parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  void add(const std::string& name) {
    if (!names_.empty() && names_.back().insert(name).second) return;
    refuse("duplicate", shown(name), "The body names '{}' twice.", shown(name));
  }
  std::vector<std::set<std::string>> names_;
};

[[noreturn]] void refuse_at(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  refuse("bad_json", "", "The body is not JSON: there is a mistake at line {}, byte {}.", line,
         column);
}

}  // namespace

Json strict_json(std::string_view text) {
  Watch watch;
  const auto hear = [&](int depth, Json::parse_event_t event, Json& parsed) {
    return watch(depth, event, parsed);
  };
  try {
    return Json::parse(text.begin(), text.end(), hear);
  } catch (const Json::parse_error& error) {
    refuse_at(text, error.byte);
  } catch (const Json::exception&) {
    refuse("bad_json", "", "The body has a number that is too large.");
  }
}

}  // namespace sqmax::http
