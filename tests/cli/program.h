// The program inside the test's own process: words in; exit code and both streams out.
#pragma once

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "sqmax/core/random.h"

#include "cli/command.h"
#include "core/file_calls.h"
#include "tests/support/temporary_folder.h"

namespace sqmax::testing_cli {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline Outcome call(const Words& words) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run_program(words, {.out = out, .err = err, .err_is_terminal = false});
  return {code, out.str(), err.str()};
}

/// "train %/a b" → {"train", "<folder>/a", "b"}
inline Words words_of(const std::string& line, const std::filesystem::path& folder) {
  std::istringstream in(line);
  Words words{std::istream_iterator<std::string>(in), {}};
  for (std::string& word : words) {
    const auto place = word.find('%');
    if (place != std::string::npos) word.replace(place, 1, folder.string());
  }
  return words;
}

/// Every file below a folder, by name, with its bytes; of a folder or pipe, what it is.
inline std::map<std::string, std::string> snapshot(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto type = static_cast<int>(entry.symlink_status().type());
    files[entry.path().string()] =
        entry.is_regular_file() ? contents(entry.path()) : "type " + std::to_string(type);
  }
  return files;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The user's mistake: exit code 1, nothing but one line, which names what is wrong.
inline void expect_sentence(const Outcome& outcome, const std::string& named) {
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, testing::StartsWith("sqmax: "));
  EXPECT_THAT(outcome.err, testing::HasSubstr(named));
  EXPECT_THAT(outcome.err, testing::ContainsRegex("\\.[)]?\n$"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

/// What a run took is printed, and not part of its results.
inline Json without_memory(Json document) {
  EXPECT_GT(document["memory"]["estimate_bytes"], 0);
  document.erase("memory");
  document.erase("peak_memory_bytes");
  return document;
}

/// Files may not grow past `bytes`: what a full disk does, without one.
inline void allow(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

inline int rename_no_model(const char* from, const char* to) {
  if (!std::string_view(to).ends_with("/model")) return std::rename(from, to);
  errno = EIO;
  return -1;
}

/// 40 users and 30 items in four groups; most people like their own group's items.
inline std::string small_table() {
  Random random(1, Purpose::Test);
  std::string text = "user\titem\n";
  for (int user = 0; user < 40; ++user) {
    for (int item = 0; item < 30; ++item) {
      if (random.uniform() > (user % 4 == item % 4 ? 0.9 : 0.1)) continue;
      text += "u" + std::to_string(user) + "\ti" + std::to_string(item) + "\n";
    }
  }
  return text;
}

/// A folder with small.tsv, and on demand data.safetensors and model.safetensors made of it.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest() { folder_.file("small.tsv", small_table()); }

  Outcome run(const std::string& line) const { return call(words_of(line, folder_.path())); }

  /// Must succeed in silence.
  std::string output_of(const std::string& line) const {
    const Outcome outcome = run(line + " --quiet");
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err;
    EXPECT_EQ(outcome.err, "") << line;
    return outcome.out;
  }
  Json json_of(const std::string& line) const { return Json::parse(output_of(line + " --json")); }
  std::vector<Json> json_lines_of(const std::string& line) const {
    std::vector<Json> documents;
    for (const auto& text : lines_of(output_of(line + " --json"))) {
      documents.push_back(Json::parse(text));
    }
    return documents;
  }

  /// As far as the file called model, which cannot be written.
  void run_to_the_end_and_fail(const std::string& line) const {
    file_calls().rename = &rename_no_model;
    expect_sentence(run(line + " --quiet"), "model");
    file_calls() = system_file_calls();
  }

  void prepare() const { output_of("prepare %/small.tsv -o %/data.safetensors"); }
  void train(const std::string& options = "") const {
    if (!std::filesystem::exists(folder_ / "data.safetensors")) prepare();
    output_of("train %/data.safetensors -o %/model.safetensors --rank 4 --no-tune " + options);
  }

  TemporaryFolder folder_;
};

}  // namespace sqmax::testing_cli
