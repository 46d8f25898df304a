// sqmax serve: an HTTP API and the explorer page.                                 docs/server.md
#include <chrono>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/demo_model.h"
#include "cli/json.h"
#include "cli/privileges.h"
#include "cli/signals.h"
#include "cli/token_source.h"
#include "core/fail.h"
#include "core/wording.h"
#include "serve/http/model_watch.h"
#include "serve/http/server.h"

namespace sqmax::cli {
namespace {

using std::chrono::milliseconds;

struct ServeArgs {
  std::vector<std::string> models;
  bool demo = false;
  std::string address = "127.0.0.1";
  std::int64_t port = 8080;
  std::string index = "auto";
  std::string items;
  TokenSource token;
  std::string cors;
  std::optional<std::int64_t> max_body;
  std::optional<double> rate;
  std::int64_t timeout = 10;
  std::int64_t connections = 1024;
  std::int64_t grace = 1;
  std::string events;
  std::string access_log;
  std::optional<std::string> run_as;

  void describe(ArgumentParser& parser) {
    parser.positionals("MODEL", models, "a model that train wrote; watched, and loaded again");
    parser.flag("--demo", demo, "train a model of Debian's packages first, and serve that");
    parser.option("--bind", address, "the address to listen at; 0.0.0.0 is every one");
    parser.whole_number("--port", port, 0, 65535, "the port; 0: any that is free, and printed");
    parser.choice("--index", index, {"auto", "exact", "hnsw"},
                  "how the best items are found; hnsw misses some, auto takes it for more than "
                  "200,000 items");
    parser.option("--items", items, "a table of item ids, titles, links and more (.tsv)");
    parser.option("--token", token.text,
                  "what clients must send as bearer token; others can see it in the list of "
                  "processes, so better --token-file or SQMAX_TOKEN");
    parser.option("--token-file", token.file, "a file that holds the token");
    parser.option("--cors", cors, "the origin whose pages may ask, like https://example.org, or *");
    parser.memory_size("--max-body", max_body, "the largest body of a request, like 4M [1M]");
    parser.option("--rate", rate, "requests a second that one client may make [any number]");
    parser.whole_number("--timeout", timeout, 1, 3600,
                        "seconds that a client may take to send a request, or to take an answer");
    parser.whole_number("--connections", connections, 8, 30000, "clients at one time");
    parser.whole_number("--grace", grace, 0, 3600,
                        "seconds for which, after SIGTERM, requests are still taken while /readyz "
                        "says no");
    parser.option("--events", events,
                  "take interactions at /v1/events, and append them here as JSON lines");
    parser.option("--access-log", access_log, "a JSON line for each answer, here; - is stdout");
    parser.option("--run-as", run_as,
                  "started by root: become this user, a name or UID:GID, once the port is bound");
  }
};

void check(const ServeArgs& args) {
  if (args.models.size() + (args.demo ? 1 : 0) != 1) {
    fail(Errc::BadOption, "serve wants a MODEL, or --demo instead of one.");
  }
  if (args.rate && *args.rate <= 0.0) fail(Errc::BadOption, "--rate must be more than 0.");
  if (args.demo && !args.items.empty()) {
    fail(Errc::BadOption, "--items is for a MODEL; --demo has titles of its own.");
  }
  if (args.run_as) check_user(*args.run_as);
}

EngineOptions engine_options(const ServeArgs& args) {
  if (args.index == "hnsw") return {.index = IndexKind::Hnsw};
  return {.index = args.index == "exact" ? IndexKind::Exact : IndexKind::Auto};
}

http::SharedCatalogue first_catalogue(const ServeArgs& args, Session& session) {
  if (!args.demo) return http::load_catalogue(args.models[0], args.items, engine_options(args));
  return std::make_shared<const http::Catalogue>(train_demo_model(session), ItemTable(),
                                                 engine_options(args));
}

http::ServerOptions server_options(const ServeArgs& args) {
  http::ServerOptions options{.cors = args.cors, .connections = at(args.connections), .limits = {}};
  options.limits.timeout = milliseconds(args.timeout * 1000);
  if (args.max_body) options.limits.body = at(*args.max_body);
  return options;
}

void tell_of_events(const http::EventLog* log, const std::string& path, Session& session) {
  if (log == nullptr) return;
  const auto count = static_cast<std::int64_t>(log->events_read());
  session.say(fmt::format("{} holds {}.", path, number_of(count, "event", "events")));
  if (log->was_cut()) session.say("Its last line was incomplete and is cut away.");
  if (log->bad_lines() > 0) {
    session.say(fmt::format("{} of its lines are no events, the first is line {}.",
                            log->bad_lines(), log->first_bad_line()));
  }
}

void tell_where(const ServeArgs& args, const http::Listener& listener, bool has_token,
                Session& session) {
  const std::string host =
      args.address.find(':') == std::string::npos ? args.address : "[" + args.address + "]";
  const std::string url = fmt::format("http://{}:{}/", host, listener.port());
  if (session.json()) {
    session.print(Json{{"url", url}, {"port", listener.port()}});
  } else {
    session.print(url + "\n");
  }
  session.flush();
  if (!listener.is_loopback() && !has_token) {
    session.say("Whoever can reach this machine can ask: there is no --token.");
  }
  if (is_root()) session.say("The server runs as root; --run-as NAME makes it somebody with less.");
}

/// Until SIGTERM or SIGINT, which it returns.
int wait_for_end(const Signals& signals, http::ModelWatch* watch) {
  for (;;) {
    const int signal = signals.wait(std::chrono::hours(1));
    if (signal == SIGTERM || signal == SIGINT) return signal;
    if (signal == SIGHUP && watch != nullptr) watch->reload();
  }
}

int run(const ServeArgs& args, Session& session) {
  check(args);
  const std::string token = token_of(args.token);
  forget_token_variable();
  http::Listener listener(args.address, static_cast<int>(args.port));
  drop_privileges(args.run_as.value_or(""));  // before files are parsed, and threads start
  const Signals signals;
  std::mutex speaking;
  const auto tell = [&](const std::string& sentence) {
    const std::lock_guard one_at_a_time(speaking);
    session.say(sentence);
  };
  const http::WatchedFiles files(args.demo ? "" : args.models[0], args.items, engine_options(args));
  http::Service service({.token = token,
                         .cors = args.cors,
                         .rate = args.rate.value_or(0.0),
                         .events = args.events,
                         .access_log = args.access_log,
                         .tell = tell},
                        first_catalogue(args, session));
  tell_of_events(service.event_log(), args.events, session);
  http::Server server(service, listener, server_options(args));
  server.start();
  tell_where(args, listener, !token.empty(), session);
  std::unique_ptr<http::ModelWatch> watch;
  if (!args.demo) {
    watch = std::make_unique<http::ModelWatch>(service, files, tell);
  }
  const int signal = wait_for_end(signals, watch.get());
  service.drain();
  if (signal == SIGTERM) signals.wait(milliseconds(args.grace * 1000));
  const bool all_done = server.drain(milliseconds(args.timeout * 1000));
  tell(all_done ? "Every request is answered." : "Some clients were too slow to be answered.");
  return 0;
}

}  // namespace

Command serve_command() {
  return make_command<ServeArgs>("serve", "answer over HTTP, and a page to explore a model", &run);
}

}  // namespace sqmax::cli
