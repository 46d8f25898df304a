// Responder: the only file that includes cpp-httplib, which writes answers and knows when a
// connection ends. What comes in is read and bounded by Connection, so that the library never waits
// for a client, and read by head.h, so that nobody but sqmax interprets it.
#include "serve/http/responder.h"

#include <algorithm>
#include <cstring>

#include <httplib.h>

#include "serve/http/head.h"

namespace sqmax::http {
namespace {

constexpr int kMostRequests = 100000;  // of one connection
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
    "data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// What is refused before it can be parsed is answered as if it were this.
constexpr const char* kStandIn = "GET / HTTP/1.1\r\nHost: -\r\nConnection: close\r\n\r\n";

// All that the library is told of a request: of targets and headers it has limits and readings of
// its own, decodes '%41' in a token, and would answer what it dislikes without asking us.
std::string essence_of(std::string_view head) {
  const RequestLine line = request_line_of(head);
  std::string essence = fmt::format("{} / {}\r\n", line.method, line.version);
  if (const auto value = header_of(head, "connection")) {
    essence += fmt::format("Connection: {}\r\n", *value);
  }
  return essence + "\r\n";
}

/// One request in memory, and its answer: what the library takes for a socket.
class Exchange final : public httplib::Stream {
 public:
  Exchange(Connection& connection, std::string head)
      : connection_(connection), head_(std::move(head)), essence_(essence_of(head_)) {}

  bool is_readable() const override { return read_ < essence_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, std::size_t size) override {
    const std::size_t count = std::min(size, essence_.size() - read_);
    std::memcpy(bytes, essence_.data() + read_, count);
    read_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    answer_.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = connection_.client();
    port = 0;
  }
  void get_local_ip_and_port(std::string& /*ip*/, int& port) const override { port = 0; }
  socket_t socket() const override { return 0; }

  Connection& connection() { return connection_; }
  const std::string& answer() const { return answer_; }
  RequestLine line() const { return request_line_of(head_); }
  bool has(std::string_view name) const { return header_of(head_, name).has_value(); }
  std::string_view value(std::string_view name) const {
    return header_of(head_, name).value_or("");
  }

  std::string body;
  std::optional<Refusal> refusal;
  bool is_stand_in = false;
  bool is_last = false;
  bool closes = false;
  bool was_asked = false;  // the service, by the library

 private:
  Connection& connection_;
  std::string head_;
  std::string essence_;
  std::size_t read_ = 0;
  std::string answer_;
};

// The exchange that this thread is busy with: the library's handlers are not told.
thread_local Exchange* current = nullptr;

httplib::Headers fixed_headers(const std::string& cors) {
  httplib::Headers headers = {{"Content-Security-Policy", kPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"}};
  if (cors.empty()) {
    headers.emplace("Cross-Origin-Resource-Policy", "same-origin");
  } else {
    headers.emplace("Access-Control-Allow-Origin", cors);
    headers.emplace("Vary", "Origin");
  }
  return headers;
}

// Reads the body that the head announces.
void complete(Exchange& exchange) {
  Connection& connection = exchange.connection();
  if (exchange.has("transfer-encoding")) {
    throw Refusal(411, "length_required", "A body wants a Content-Length, and no other encoding.");
  }
  if (!exchange.has("content-length")) {
    const std::string_view method = exchange.line().method;
    if (method != "POST" && method != "PUT" && method != "PATCH") return;
    throw Refusal(411, "length_required", "A request with a body wants a Content-Length.");
  }
  const std::size_t length =
      checked_length(exchange.value("content-length"), connection.limits().body);
  if (exchange.has("content-encoding")) {
    throw Refusal(415, "unsupported_media_type", "The body must not be compressed.");
  }
  if (exchange.value("expect") == "100-continue") {
    connection.send("HTTP/1.1 100 Continue\r\n\r\n");
  }
  exchange.body = connection.read_body(length);
}

Request plain(Exchange& exchange) {
  const RequestLine line = exchange.line();
  return {.method = std::string(exchange.is_stand_in ? "-" : line.method),
          .target = std::string(exchange.is_stand_in ? "-" : line.target),
          .body = std::move(exchange.body),
          .content_type = std::string(exchange.value("content-type")),
          .authorization = std::string(exchange.value("authorization")),
          .origin = std::string(exchange.value("origin")),
          .client = exchange.connection().client(),
          .refusal = std::move(exchange.refusal)};
}

}  // namespace

class Responder::Library final : public httplib::Server {
 public:
  Library(Service& service, const std::string& cors, const ConnectionLimits& limits)
      : service_(service) {
    set_default_headers(fixed_headers(cors));
    set_keep_alive_max_count(kMostRequests);
    set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(limits.idle).count());
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
  }

  /// False if the connection ends.
  bool exchange(Exchange& exchange) {
    try {
      if (!exchange.refusal) complete(exchange);
    } catch (const Refusal& refusal) {
      exchange.refusal = refusal;
    }
    current = &exchange;
    bool closes = false;
    const bool went_well = process_request(exchange, exchange.is_last, closes, nullptr);
    current = nullptr;
    return exchange.connection().send(exchange.answer()) && went_well && exchange.was_asked &&
           !closes && !exchange.is_last && !exchange.closes;
  }

 private:
  void answer(const httplib::Request& request, httplib::Response& response) {
    current->was_asked = true;
    Answer answer = service_.answer(plain(*current));
    response.status = answer.status;
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    if (answer.closes) close(request, response);
    if (answer.status != 204) {
      response.body = std::move(answer.body);
      response.set_header("Content-Type", answer.type);
    }
  }

  // The library says so itself where the client asked for it, or no more requests are taken.
  static void close(const httplib::Request& request, httplib::Response& response) {
    current->closes = true;
    if (current->is_last || request.get_header_value("Connection") == "close") return;
    response.set_header("Connection", "close");
  }

  Service& service_;
};

Responder::Responder(Service& service, const std::string& cors, const ConnectionLimits& limits)
    : library_(std::make_unique<Library>(service, cors, limits)) {}
Responder::~Responder() = default;

void Responder::serve(Connection& connection) {
  for (int count = 1; count <= kMostRequests; ++count) {
    std::optional<Refusal> refusal;
    std::optional<std::string> head;
    try {
      head = connection.next_head();
      if (!head) return;
    } catch (const Refusal& caught) {
      refusal = caught;
    }
    Exchange exchange(connection, head.value_or(kStandIn));
    exchange.is_stand_in = refusal.has_value();
    exchange.refusal = std::move(refusal);
    exchange.is_last = count == kMostRequests;
    if (!library_->exchange(exchange)) break;
  }
  connection.close_gently();
}

void Responder::turn_away(Connection& connection) {
  Exchange exchange(connection, kStandIn);
  exchange.is_stand_in = true;
  exchange.refusal = Refusal(503, "too_many_connections", "There are too many connections.");
  exchange.is_last = true;
  library_->exchange(exchange);
}

}  // namespace sqmax::http
