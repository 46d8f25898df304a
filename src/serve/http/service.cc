// Service: from a target to its route, and from what is thrown to a status.
#include "serve/http/service.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "core/fail.h"
#include "serve/http/token.h"

namespace sqmax::http {
namespace {

// Two texts that mean the same media type may differ in case and in what follows the semicolon.
bool is_json(std::string_view type) {
  const std::string_view wanted = kJson;
  if (type.size() < wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const char c = type[i] >= 'A' && type[i] <= 'Z' ? static_cast<char>(type[i] + 32) : type[i];
    if (c != wanted[i]) return false;
  }
  const std::string_view rest = type.substr(wanted.size());
  return rest.empty() || rest.front() == ';' || rest.front() == ' ';
}

}  // namespace

Service::Service(ServiceOptions options, SharedCatalogue catalogue)
    : options_(std::move(options)),
      rate_limit_(options_.rate),
      access_log_(options_.access_log),
      catalogue_(std::move(catalogue)) {
  metrics_.model_loaded(catalogue_->loaded());
  if (!options_.events.empty())
    event_log_ = std::make_unique<EventLog>(options_.events, histories_);
}

SharedCatalogue Service::catalogue() const {
  const std::lock_guard lock(mutex_);
  return catalogue_;
}

void Service::swap(SharedCatalogue catalogue) {
  metrics_.model_loaded(catalogue->loaded());
  metrics_.count_swap();
  const std::lock_guard lock(mutex_);
  catalogue_.swap(catalogue);
}

void Service::add_events(const std::vector<Event>& events) {
  event_log_->append(events);
  histories_.add(events);
  metrics_.count_events(events.size());
}

Answer Service::answer(const Request& request) {
  const InFlight counted(metrics_);
  const auto begin = std::chrono::steady_clock::now();
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, mark);
  const std::string_view query = target.substr(std::min(mark + 1, target.size()));
  const Match match = find_route(request.method, path);
  Answer answer = guarded(request, match, query);
  if (is_draining_) answer.closes = true;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  metrics_.count(match.route, answer.status, spent.count());
  access_log_.write({.request = request,
                     .route = match.route == nullptr ? "other" : match.route->name,
                     .status = answer.status,
                     .bytes = answer.body.size(),
                     .seconds = spent.count(),
                     .token = options_.token});
  return answer;
}

// A sentence about a file names it, which is nobody's business but the server's.
Answer Service::answer_of_error(const Error& error) const {
  switch (error.code()) {
    case Errc::NotFound:
      return answer_of({404, "not_found", error.what()});
    case Errc::Io:
    case Errc::BadFile:
      if (options_.tell) options_.tell(error.what());
      return answer_of(
          {503, "unavailable", "The server cannot use one of its files; try again later."});
    default:
      return answer_of({400, "bad_request", error.what()});
  }
}

// Nobody knows what it says, and whom it tells of.
Answer Service::answer_of_bug(const std::exception& error) const {
  if (options_.tell) options_.tell(fmt::format("This is a bug in sqmax: {}", error.what()));
  return answer_of({500, "bug", "This is a bug in sqmax; what the server prints says more."});
}

Answer Service::guarded(const Request& request, const Match& match, std::string_view query) {
  try {
    return answered(request, match, query);
  } catch (const Refusal& refusal) {
    return answer_of(refusal);
  } catch (const Error& error) {
    return answer_of_error(error);
  } catch (const std::bad_alloc&) {
    return answer_of({503, "unavailable", "There is not enough memory for this."});
  } catch (const std::exception& error) {
    return answer_of_bug(error);
  }
}

Answer Service::answered(const Request& request, const Match& match, std::string_view query) {
  if (request.refusal) {
    Answer answer = answer_of(*request.refusal);
    answer.closes = true;
    return answer;
  }
  if (match.allowed.empty()) {
    throw Refusal(404, "not_found", "There is nothing at this path; /openapi.json lists what is.");
  }
  if (auto answer = preflight(request, match)) return std::move(*answer);
  if (match.route == nullptr) {
    Answer answer = answer_of(
        {405, "method_not_allowed", fmt::format("This path takes {} only.", match.allowed)});
    answer.headers.emplace_back("Allow", match.allowed);
    return answer;
  }
  if (const double wait = match.route->is_open ? 0.0 : rate_limit_.take(request.client); wait > 0) {
    Answer answer = answer_of({429, "rate_limited", "There are too many requests of this client."});
    answer.headers.emplace_back("Retry-After", fmt::format("{:.0f}", std::ceil(wait)));
    return answer;
  }
  if (!match.route->is_open && !is_authorised(request.authorization, options_.token)) {
    Answer answer = answer_of({401, "unauthorized", "The bearer token is missing or wrong."});
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    return answer;
  }
  return run(*match.route, request, query);
}

std::optional<Answer> Service::preflight(const Request& request, const Match& match) const {
  if (request.method != "OPTIONS" || options_.cors.empty() || request.origin.empty()) return {};
  return Answer{.status = 204,
                .headers = {{"Access-Control-Allow-Methods", match.allowed},
                            {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                            {"Access-Control-Max-Age", "600"}}};
}

Answer Service::run(const Route& route, const Request& request, std::string_view query) {
  const SharedCatalogue current = catalogue();
  if (route.body.empty()) {
    return route.run({parse_query(query, route.query), *current, *this});
  }
  if (!is_json(request.content_type)) {
    throw Refusal(415, "unsupported_media_type",
                  "The body must be JSON, with Content-Type: application/json.");
  }
  if (!query.empty()) refuse("unknown_parameter", "", "This path takes no query, but a body.");
  return route.run({parse_body(request.body, route.body), *current, *this});
}

}  // namespace sqmax::http
