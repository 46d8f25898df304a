// Queries, bodies, heads and texts: what strangers send, without a socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "serve/http/head.h"
#include "serve/http/json_text.h"
#include "serve/http/refusal.h"
#include "serve/http/values.h"

namespace sqmax::http {
namespace {

const std::vector<Field> kFields = {
    {.name = "text", .kind = Kind::Text, .help = "a text"},
    {.name = "name", .kind = Kind::Text, .help = "a short text", .shortest = 2, .longest = 3},
    {.name = "k", .kind = Kind::Whole, .help = "a number", .low = 1, .high = 9},
    {.name = "x", .kind = Kind::Number, .help = "a number", .low = -1, .high = 1.5},
    {.name = "flag", .kind = Kind::Flag, .help = "yes or no"},
    {.name = "ids", .kind = Kind::Texts, .help = "texts", .most = 3},
    {.name = "numbers", .kind = Kind::Numbers, .help = "numbers", .low = 0, .high = 5, .most = 3},
    {.name = "all",
     .kind = Kind::Objects,
     .help = "objects",
     .most = 2,
     .fields = {{.name = "id", .kind = Kind::Text, .help = "an id", .required = true}}},
};

/// "code field", or "" if nothing is refused.
template <class Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const Refusal& refusal) {
    return refusal.code + " " + refusal.field;
  }
  return "";
}

std::string query_refusal(const std::string& text) {
  return refusal_of([&] { parse_query(text, kFields); });
}
std::string body_refusal(const std::string& text) {
  return refusal_of([&] { parse_body(text, kFields); });
}
int head_status(const std::string& text) {
  try {
    checked_head(text);
  } catch (const Refusal& refusal) {
    return refusal.status;
  }
  return 200;
}

TEST(Query, IsDecodedAndTyped) {
  const Values values =
      parse_query("text=a%20b%C3%BC%2B+c&k=9&x=-0.5&&flag=1&ids=p&ids=&ids=q%26", kFields);
  EXPECT_EQ(*values.get<std::string>("text"), "a bü+ c");
  EXPECT_EQ(*values.get<std::int64_t>("k"), 9);
  EXPECT_EQ(*values.get<double>("x"), -0.5);
  EXPECT_TRUE(*values.get<bool>("flag"));
  EXPECT_THAT(*values.get<std::vector<std::string>>("ids"), testing::ElementsAre("p", "", "q&"));
  EXPECT_FALSE(parse_query("", kFields).has("text"));
  EXPECT_EQ(*parse_query("text", kFields).get<std::string>("text"), "");
}

TEST(Query, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(query_refusal("tex=a"), "unknown_parameter tex");
  EXPECT_EQ(query_refusal("k=1&k=1"), "duplicate k");
  EXPECT_EQ(query_refusal("k=0"), "out_of_range k");
  EXPECT_EQ(query_refusal("k=10"), "out_of_range k");
  EXPECT_EQ(query_refusal("k=-99999999999999999999"), "out_of_range k");
  EXPECT_EQ(query_refusal("k=1.0"), "wrong_type k");
  EXPECT_EQ(query_refusal("k=+1"), "wrong_type k");
  EXPECT_EQ(query_refusal("name=%C3%BC%C3%BC"), "");
  EXPECT_EQ(query_refusal("name="), "out_of_range name");
  EXPECT_EQ(query_refusal("name=abcd"), "out_of_range name");
  EXPECT_EQ(query_refusal("x=1e400"), "wrong_type x");
  EXPECT_EQ(query_refusal("x=inf"), "wrong_type x");
  EXPECT_EQ(query_refusal("flag=maybe"), "wrong_type flag");
  EXPECT_EQ(query_refusal("ids=1&ids=2&ids=3&ids=4"), "too_many ids");
  for (const char* text :
       {"text=%", "text=%4", "text=%zz", "text=%ff", "%c3=1", "text=%ed%a0%80"}) {
    EXPECT_EQ(query_refusal(text), "bad_query ") << text;
  }
}

TEST(Body, IsTyped) {
  const Values values = parse_body(
      R"({"text":"\u00fc","k":1,"x":1,"flag":false,"ids":["a"],"numbers":[0,5,1.5],"all":[{"id":"z"}]})",
      kFields);
  EXPECT_EQ(*values.get<std::string>("text"), "ü");
  EXPECT_EQ(*values.get<double>("x"), 1.0);
  EXPECT_EQ(*parse_body(R"({"k":8.0})", kFields).get<std::int64_t>("k"), 8);
  EXPECT_EQ(*parse_body(R"({"k":0.4e1})", kFields).get<std::int64_t>("k"), 4);
  EXPECT_THAT(*values.get<std::vector<double>>("numbers"), testing::ElementsAre(0, 5, 1.5));
  EXPECT_EQ(*values.get<std::vector<Values>>("all")->at(0).get<std::string>("id"), "z");
}

TEST(Body, RefusesByPlace) {
  EXPECT_EQ(body_refusal("{}"), "");
  EXPECT_EQ(body_refusal(R"({"k":1,"kk":2})"), "unknown_field kk");
  EXPECT_EQ(body_refusal(R"({"k":1,"k":1})"), "duplicate k");
  EXPECT_EQ(body_refusal(R"({"k":"1"})"), "wrong_type k");
  EXPECT_EQ(body_refusal(R"({"k":1.5})"), "wrong_type k");
  EXPECT_EQ(body_refusal(R"({"k":10.0})"), "out_of_range k");
  EXPECT_EQ(body_refusal(R"({"k":1e300})"), "out_of_range k");
  EXPECT_EQ(body_refusal(R"({"k":18446744073709551615})"), "out_of_range k");
  EXPECT_EQ(body_refusal(R"({"name":"ü€😀"})"), "");
  EXPECT_EQ(body_refusal(R"({"name":"ü"})"), "out_of_range name");
  EXPECT_EQ(body_refusal(R"({"name":"abcd"})"), "out_of_range name");
  EXPECT_EQ(body_refusal(R"({"numbers":[1,2,9]})"), "out_of_range numbers[2]");
  EXPECT_EQ(body_refusal(R"({"numbers":[1,2,3,4]})"), "too_many numbers");
  EXPECT_EQ(body_refusal(R"({"all":[{"id":"a"},{}]})"), "missing all[1].id");
  EXPECT_EQ(body_refusal(R"({"all":[{"id":"a","id":"b"}]})"), "duplicate id");
  EXPECT_EQ(body_refusal(R"({"all":[{"id":"a"},{"id":"b"}]})"), "");
  EXPECT_EQ(body_refusal(R"({"all":[7]})"), "wrong_type all[0]");
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("nul"), std::string("{\"k\":1}}"),
        std::string("{\"text\":\"\xff\"}"), std::string("{\"x\":1e999}"), std::string("{'k':1}"),
        std::string(100000, '['), std::string("{\"k\":\0}", 7)}) {
    EXPECT_EQ(body_refusal(text), "bad_json ") << text.substr(0, 20);
  }
}

TEST(Body, TellsWhereTheMistakeIs) {
  try {
    parse_body("{\n\n  \"k\": oops}", kFields);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.message, testing::HasSubstr("line 3, byte 8"));
  }
}

TEST(Head, KeepsWhatItUnderstands) {
  EXPECT_EQ(end_of_head("GET / HTTP/1.1\r\nHost: x\r\n\r"), std::nullopt);
  EXPECT_EQ(end_of_head("GET / HTTP/1.1\r\n\r\nrest"), 18);
  EXPECT_EQ(checked_head(
                "GET /a?b HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1\r\nAccept-Encoding: br\r\n\r\n"),
            "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n");
}

TEST(Head, RefusesWhatCouldBeReadTwoWays) {
  EXPECT_EQ(head_status("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 200);
  EXPECT_EQ(head_status("GET / HTTP/1.0\r\n\r\n"), 200);
  for (const std::string& head :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string("GET  HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET a HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET / HTTP/1.2\r\nHost: x\r\n\r\n"),
        std::string("GET /#a HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET / b HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost : x\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\n y: z\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n", 33)}) {
    EXPECT_EQ(head_status(head), 400) << head;
  }
  EXPECT_EQ(head_status("FOO / HTTP/1.1\r\nHost: x\r\n\r\n"), 405);
  EXPECT_EQ(head_status("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n"), 414);
  std::string many = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 100; ++i) many += "a: b\r\n";
  EXPECT_EQ(head_status(many + "\r\n"), 431);
  const std::string begin = "GET / HTTP/1.1\r\nHost: x\r\n";
  const std::string longest = "a: " + std::string(kLongestLine - 3, 'b');
  EXPECT_EQ(head_status(begin + longest + "\r\n\r\n"), 200);
  EXPECT_EQ(head_status(begin + longest + "b\r\n\r\n"), 431);
}

TEST(Head, IsReadAsSent) {
  const std::string head =
      "GET /a?b=%41?c HTTP/1.1\r\nHost: x\r\nAuthorization:\t Bearer %41 b \r\nEmpty: \r\n"
      "authorization: second\r\nAuthorizations: third\r\n\r\n";
  EXPECT_EQ(request_line_of(head).method, "GET");
  EXPECT_EQ(request_line_of(head).target, "/a?b=%41?c");
  EXPECT_EQ(request_line_of(head).version, "HTTP/1.1");
  EXPECT_EQ(header_of(head, "authorization"), "Bearer %41 b");
  EXPECT_EQ(header_of(head, "authorizations"), "third");
  EXPECT_EQ(header_of(head, "empty"), "");
  EXPECT_EQ(header_of(head, "auth"), std::nullopt);
  EXPECT_EQ(header_of(head, "get /a?b=%41?c http/1.1\r\nhost"), std::nullopt);
}

TEST(Head, LengthsAreNumbersWithinTheLimit) {
  EXPECT_EQ(checked_length("0", 10), 0U);
  EXPECT_EQ(checked_length("10", 10), 10U);
  for (const char* text : {"", "-1", "+1", "1 ", "0x1", "1,1", "1e1"}) {
    EXPECT_EQ(refusal_of([&] { checked_length(text, 10); }), "bad_head ") << text;
  }
  for (const char* text : {"11", "99999999999999999999999999"}) {
    EXPECT_EQ(refusal_of([&] { checked_length(text, 10); }), "body_too_large ") << text;
  }
}

TEST(JsonText, IsWhatAParserReadsBack) {
  std::string all;
  for (int c = 0; c < 128; ++c) all.push_back(static_cast<char>(c));
  for (const std::string& text : {all, std::string("ü€😀"), std::string("\"\\/")}) {
    std::string json;
    add_text(json, text);
    EXPECT_EQ(nlohmann::json::parse(json).get<std::string>(), text);
  }
  std::string json;
  add_text(json, "a\xff\xc3z");
  EXPECT_EQ(nlohmann::json::parse(json).get<std::string>(), "a\uFFFD\uFFFDz");
  std::string numbers;
  add_number(numbers, 0.1F);
  add_number(numbers, std::nan(""));
  EXPECT_EQ(numbers, "0.1null");
}

}  // namespace
}  // namespace sqmax::http
