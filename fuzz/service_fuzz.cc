// Any target, head and body, asked of whole services with a model, one that takes events and one
// that wants a token: an answer that is no 5xx, in UTF-8, and JSON where it says so; nothing
// without the token, and no token in the log.
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sqmax/core/parallel.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "serve/http/head.h"
#include "serve/http/service.h"
#include "tests/support/trained_model.h"

namespace {

using sqmax::require;
using sqmax::http::Answer;
using sqmax::http::Request;
using sqmax::http::Service;

constexpr std::string_view kToken = "t0%k";  // short, so that inputs come upon it
constexpr int kInputsPerService = 500;       // after which its events and logs go

/// Two services with one model, and their files.
class Services {
 public:
  Services()
      : folder_("sqmax_service_fuzz"),
        open({.events = file("events")}, catalogue()),
        guarded({.token = std::string(kToken),
                 .cors = "https://a.example",
                 .rate = 1e9,
                 .access_log = file("log")},
                catalogue()) {}
  ~Services() {
    const std::string log = sqmax::bytes_of(file("log"));
    require(log.find(kToken) == std::string::npos);
    require(log.empty() || log.back() == '\n');
  }
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

 private:
  std::string file(const char* name) const { return (folder_.path() / name).string(); }
  static sqmax::http::SharedCatalogue catalogue() {
    static const auto made = std::make_shared<const sqmax::http::Catalogue>(
        sqmax::trained_model("rgp", 12, 20, 3), sqmax::ItemTable(), sqmax::EngineOptions());
    return made;
  }
  sqmax::MemoryFolder folder_;

 public:
  Service open;
  Service guarded;
};

void check(const Answer& answer) {
  require(answer.status >= 200 && answer.status < 500);
  const bool is_json = answer.type == sqmax::http::kJson && answer.status != 204;
  require(!is_json || nlohmann::json::accept(answer.body));
  for (const auto& [name, value] : answer.headers) {
    require(value.find_first_of("\r\n") == std::string::npos);
  }
}

// The first line is the target, what follows is the body.
void ask_by_lines(Service& service, const std::string& bytes) {
  const std::size_t line = std::min(bytes.find('\n'), bytes.size());
  const std::string target = bytes.substr(0, line);
  check(service.answer({.method = "GET", .target = target}));
  check(service.answer({.method = "POST",
                        .target = target,
                        .body = bytes.substr(std::min(line + 1, bytes.size())),
                        .content_type = "application/json"}));
}

// All of it as the query or the body of every route, so that it need not find one.
void ask_every_route(Service& service, const std::string& bytes) {
  for (const sqmax::http::Route& route : sqmax::http::routes()) {
    const bool by_query = route.body.empty();
    check(service.answer({.method = route.method,
                          .target = by_query ? route.path + "?" + bytes : route.path,
                          .body = by_query ? "" : bytes,
                          .content_type = "application/json"}));
  }
}

bool is_open(const Request& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  const auto match = sqmax::http::find_route(request.method, path);
  return match.route != nullptr && match.route->is_open;
}

void check_guarded(Service& service, const Request& request) {
  const Answer answer = service.answer(request);
  check(answer);
  const bool may_pass = request.authorization.ends_with(kToken) || is_open(request) ||
                        (request.method == "OPTIONS" && answer.status == 204);
  require(may_pass || answer.status >= 400);
  const std::string line = sqmax::http::access_line({.request = request,
                                                     .route = "any",
                                                     .status = answer.status,
                                                     .bytes = answer.body.size(),
                                                     .seconds = 0.0,
                                                     .token = kToken});
  require(line.find('\n') == line.size() - 1 && nlohmann::json::accept(line));
}

// As the server makes a request of what it receives: a head, a blank line, and the body.
void ask_by_head(Service& service, std::string_view bytes) {
  const auto end = sqmax::http::end_of_head(bytes);
  if (!end) return;
  Request request{.body = std::string(bytes.substr(*end)), .client = "::1"};
  try {
    const std::string head = sqmax::http::checked_head(bytes.substr(0, *end));
    const auto value = [&](std::string_view name) {
      return std::string(sqmax::http::header_of(head, name).value_or(""));
    };
    const auto line = sqmax::http::request_line_of(head);
    request.method = line.method;
    request.target = line.target;
    request.content_type = value("content-type");
    request.authorization = value("authorization");
    request.origin = value("origin");
  } catch (const sqmax::http::Refusal& refusal) {
    request.method = request.target = "-";
    request.refusal = refusal;
  }
  check_guarded(service, request);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static std::unique_ptr<Services> services;
  static int asked = 0;
  if (asked++ % kInputsPerService == 0) {
    services.reset();  // its folder goes before another is made
    services = std::make_unique<Services>();
  }
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ask_by_lines(services->open, bytes);
  ask_every_route(services->open, bytes);
  ask_by_head(services->guarded, bytes);
  return 0;
}
