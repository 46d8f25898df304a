// sqmax serve: what it refuses before it drops privileges, which no test could take back;
// tests/e2e/serve_privileges_test.py has what it refuses then, and the others what it answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using Serve = ProgramTest;

TEST_F(Serve, MistakesAreSentences) {
  train();
  const std::string serve = "serve %/model.safetensors --port 0 ";
  expect_sentence(run("serve"), "wants a MODEL");
  expect_sentence(run("serve --demo %/model.safetensors"), "wants a MODEL, or --demo");
  expect_sentence(run(serve + "--port 70000"), "--port");
  expect_sentence(run(serve + "--index tree"), "--index");
  expect_sentence(run(serve + "--rate 0"), "--rate");
  expect_sentence(run(serve + "--token a --token-file %/small.tsv"), "--token-file");
  expect_sentence(run(serve + "--token-file %/none"), "--token-file");
  expect_sentence(run(serve + "--token-file %/none"), "has no token");
  expect_sentence(run(serve + "--token="), "--token wants a value");
  expect_sentence(call({"serve", "--demo", "--run-as", ""}), "--run-as is empty");
  expect_sentence(run(serve + "--run-as no-such-user"), "--run-as no-such-user: there is no such");
  for (const std::string all_ones : {"4294967295:1000", "1000:4294967295"}) {
    expect_sentence(run(serve + "--run-as " + all_ones), "--run-as " + all_ones + ": no user or");
  }
  expect_sentence(run(serve + "--bind no.such.address.invalid"), "--bind");
}

}  // namespace
}  // namespace sqmax::testing_cli
