// Service: requests to answers, without a socket.
#include "serve/http/service.h"

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "core/file_calls.h"
#include "serve/http/token.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trained_model.h"

namespace sqmax::http {
namespace {

using nlohmann::json;

constexpr Index kUsers = 20;
constexpr Index kItems = 30;

SharedCatalogue small_catalogue(Index rank = 3) {
  return std::make_shared<const Catalogue>(trained_model("rgp", kUsers, kItems, rank), ItemTable(),
                                           EngineOptions());
}

Request get(const std::string& target) { return {.method = "GET", .target = target}; }
Request post(const std::string& target, const std::string& body) {
  return {.method = "POST", .target = target, .body = body, .content_type = "application/json"};
}

json good(Service& service, const Request& request) {
  const Answer answer = service.answer(request);
  EXPECT_EQ(answer.status, 200) << answer.body;
  return json::parse(answer.body);
}

std::string id_of(const Catalogue& catalogue, Index item) {
  return std::string(catalogue.model().items[item]);
}

TEST(Service, EveryRouteIsFoundByItsOwnPathAndMethodAlone) {
  for (const Route& route : routes()) {
    const Match match = find_route(route.method, route.path);
    ASSERT_NE(match.route, nullptr) << route.path;
    EXPECT_EQ(match.route->name, route.name);
    EXPECT_EQ(find_route("TRACE", route.path).route, nullptr);
    EXPECT_NE(find_route("TRACE", route.path).allowed, "");
    EXPECT_EQ(find_route(route.method, route.path + "x").allowed, "");
  }
}

TEST(Service, AnswersAreWhatTheEngineSays) {
  const SharedCatalogue catalogue = small_catalogue();
  Service service({}, catalogue);
  const std::vector<Index> history = {1, 4};
  const auto list = catalogue->engine().recommend(ListRequest{.history = history, .k = 4});
  const std::string body =
      json{{"history", {id_of(*catalogue, 4), id_of(*catalogue, 1)}}, {"k", 4}}.dump();
  const json answer = good(service, post("/v1/recommend", body));
  ASSERT_EQ(answer["items"].size(), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(answer["items"][i]["item"], id_of(*catalogue, list[i].item));
    EXPECT_EQ(answer["items"][i]["score"].get<float>(), list[i].score);
  }
}

TEST(Service, StatusesOfRefusals) {
  Service service({.token = "secret"}, small_catalogue());
  EXPECT_EQ(service.answer(get("/healthz")).status, 200);
  EXPECT_EQ(service.answer(get("/nothing")).status, 404);
  EXPECT_EQ(service.answer(get("/v1/model")).status, 401);
  Request request = get("/v1/model");
  request.authorization = "Bearer secret";
  EXPECT_EQ(service.answer(request).status, 200);
  request.method = "POST";
  EXPECT_EQ(service.answer(request).status, 405);
  request.refusal = Refusal(413, "body_too_large", "No.");
  EXPECT_EQ(service.answer(request).status, 413);
  EXPECT_TRUE(service.answer(request).closes);
}

TEST(Service, DrainingSaysSoAndStillAnswers) {
  Service service({}, small_catalogue());
  EXPECT_EQ(service.answer(get("/readyz")).status, 200);
  service.drain();
  EXPECT_EQ(service.answer(get("/readyz")).status, 503);
  EXPECT_EQ(service.answer(get("/v1/model")).status, 200);
  EXPECT_TRUE(service.answer(get("/v1/model")).closes);
}

TEST(Service, SwapsBetweenRequestsOfManyThreads) {
  Service service({}, small_catalogue(3));
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        if (service.answer(get("/v1/items?k=3")).status != 200) ++failed;
      }
    });
  }
  for (int i = 0; i < 5; ++i) service.swap(small_catalogue(4));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
}

TEST(Service, EventsAreInTheFileAndInTheLists) {
  const TemporaryFolder folder;
  const std::string path = folder / "events.jsonl";
  const SharedCatalogue catalogue = small_catalogue();
  const std::string first = id_of(*catalogue, 2);
  const std::string body = json{{"events", {{{"user", "new"}, {"item", first}}}}}.dump();
  json list;
  {
    Service service({.events = path}, catalogue);
    EXPECT_EQ(service.answer(get("/v1/recommend?user=new")).status, 404);
    EXPECT_EQ(good(service, post("/v1/events", body))["accepted"], 1);
    list = good(service, get("/v1/recommend?user=new"));
    EXPECT_THAT(error_of([&] { Service other({.events = path}, catalogue); }),
                testing::HasSubstr("Another server"));
  }
  const json line = json::parse(contents(path));
  EXPECT_EQ(line["user"], "new");
  EXPECT_EQ(line["item"], first);
  std::ofstream(path, std::ios::app) << "{\"user\": \"new\", \"ite";
  Service again({.events = path}, catalogue);
  EXPECT_TRUE(again.event_log()->was_cut());
  EXPECT_EQ(again.event_log()->events_read(), 1U);
  EXPECT_EQ(good(again, get("/v1/recommend?user=new")), list);
}

// Files may not grow past `bytes`: what a full disk does, without one.
rlim_t allow_files_of(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
  return before;
}

TEST(Service, AFullDiskRefusesEventsAndForgetsThem) {
  const TemporaryFolder folder;
  const std::string path = folder / "events.jsonl";
  std::vector<std::string> told;
  Service service({.events = path, .tell = [&](const std::string& text) { told.push_back(text); }},
                  small_catalogue());
  const auto body = [](const char* user) {
    return json{{"events", {{{"user", user}, {"item", "0"}}}}}.dump();
  };
  EXPECT_EQ(service.answer(post("/v1/events", body("one"))).status, 200);
  const std::string before = contents(path);
  const rlim_t unlimited = allow_files_of(before.size() + 5);
  const Answer refused = service.answer(post("/v1/events", body("two")));
  allow_files_of(unlimited);
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(json::parse(refused.body)["error"]["message"],
            "The server cannot use one of its files; try again later.");
  EXPECT_THAT(told, testing::ElementsAre(testing::HasSubstr(path)));
  EXPECT_EQ(contents(path), before);
  EXPECT_EQ(service.answer(get("/v1/recommend?user=two")).status, 404);
  EXPECT_EQ(service.answer(post("/v1/events", body("two"))).status, 200);
  EXPECT_EQ(service.answer(get("/v1/recommend?user=two")).status, 200);
  EXPECT_THAT(error_of([&] { Service other({.events = "/dev/full"}, small_catalogue()); }),
              testing::HasSubstr("not a plain file"));
}

// What an unexpected exception says may name a file, or another client's user.
TEST(Service, WhatABugSaysIsToldToTheOwnerAlone) {
  const TemporaryFolder folder;
  std::vector<std::string> told;
  Service service({.events = folder / "events.jsonl",
                   .tell = [&](const std::string& text) { told.push_back(text); }},
                  small_catalogue());
  file_calls().sync_data = [](int) -> int { throw std::logic_error("/home/somebody"); };
  const std::string body = R"({"events": [{"user": "u", "item": "1"}]})";
  const Answer answer = service.answer(post("/v1/events", body));
  file_calls() = system_file_calls();
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(json::parse(answer.body)["error"]["message"],
            "This is a bug in sqmax; what the server prints says more.");
  EXPECT_THAT(told, testing::ElementsAre(testing::HasSubstr("/home/somebody")));
  EXPECT_EQ(contents(folder / "events.jsonl"), "");
  EXPECT_EQ(service.answer(post("/v1/events", body)).status, 200);
}

TEST(Token, OnlyTheTokenItselfIsTaken) {
  EXPECT_TRUE(is_authorised("", ""));
  EXPECT_TRUE(is_authorised("Bearer abc", "abc"));
  EXPECT_TRUE(is_authorised("bEARER abc", "abc"));
  for (const char* header : {"", "abc", "Bearer", "Bearer ", "Bearer ab", "Bearer abcd",
                             "Bearer abC", "Basic abc", "Bearer  abc"}) {
    EXPECT_FALSE(is_authorised(header, "abc")) << header;
  }
}

TEST(RateLimit, FillsSteadily) {
  RateLimit limit(2.0);
  const auto now = RateLimit::Clock::time_point();
  EXPECT_EQ(limit.take("a", now), 0.0);
  EXPECT_EQ(limit.take("a", now), 0.0);
  EXPECT_DOUBLE_EQ(limit.take("a", now), 0.5);
  EXPECT_EQ(limit.take("b", now), 0.0);
  EXPECT_EQ(limit.take("a", now + std::chrono::milliseconds(500)), 0.0);
  EXPECT_GT(limit.take("a", now + std::chrono::milliseconds(500)), 0.0);
  EXPECT_EQ(RateLimit(0.0).take("a", now), 0.0);
}

TEST(RateLimit, WhoWasAwayForLongHasNoMoreThanAFullBucket) {
  RateLimit limit(2.0);
  const auto now = RateLimit::Clock::time_point();
  EXPECT_EQ(limit.take("a", now), 0.0);
  const auto later = now + std::chrono::hours(1);
  EXPECT_EQ(limit.take("a", later), 0.0);
  EXPECT_EQ(limit.take("a", later), 0.0);
  EXPECT_DOUBLE_EQ(limit.take("a", later), 0.5);
}

TEST(Service, TellsWhenToComeBackAndNotTooEarly) {
  Service service({.rate = 0.4}, small_catalogue());  // one in 2.5 seconds
  EXPECT_EQ(service.answer(get("/v1/model")).status, 200);
  const Answer answer = service.answer(get("/v1/model"));
  EXPECT_EQ(answer.status, 429);
  EXPECT_THAT(answer.headers, testing::Contains(testing::Pair("Retry-After", "3")));
}

TEST(Metrics, CountByRouteAndStatus) {
  Service service({}, small_catalogue());
  service.answer(get("/healthz"));
  service.answer(get("/healthz"));
  service.answer(get("/healthz?x"));
  service.answer(get("/nothing"));
  const std::string text = service.answer(get("/metrics")).body;
  EXPECT_THAT(text,
              testing::HasSubstr("sqmax_requests_total{route=\"healthz\",status=\"200\"} 2\n"));
  EXPECT_THAT(text,
              testing::HasSubstr("sqmax_requests_total{route=\"healthz\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("sqmax_requests_total{route=\"other\",status=\"404\"} 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("sqmax_request_seconds_count{route=\"healthz\"} 3\n"));
  EXPECT_THAT(text, testing::HasSubstr("le=\"+Inf\"} 3\n"));
}

}  // namespace
}  // namespace sqmax::http
