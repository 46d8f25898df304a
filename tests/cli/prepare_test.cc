// sqmax prepare: counts, filters, splits and the doctor's findings, as JSON and as text.
#include <thread>

#include <unistd.h>

#include "sqmax/data/dataset.h"

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class PrepareTest : public ProgramTest {
 protected:
  Dataset dataset() const { return load_dataset(folder_ / "out.safetensors"); }
};

// Four pairs of two users with a repetition, and one line that is not a pair.
constexpr auto kTable = "user\titem\trating\na\tx\t5\na\ty\t4\nb\tx\t1\nb\ty\t3\nb\ty\t5\n";

TEST_F(PrepareTest, CountsWhatItWrites) {
  const Json document = json_of("prepare %/small.tsv -o %/out.safetensors");
  const Dataset written = dataset();
  EXPECT_EQ(document["users"], 40);
  EXPECT_EQ(document["items"], 30);
  EXPECT_EQ(document["train"], written.train.nnz());
  EXPECT_EQ(document["valid"], written.valid.nnz());
  EXPECT_EQ(document["test"], written.test.nnz());
  EXPECT_EQ(document["fingerprint"], fingerprint(written));
  EXPECT_EQ(document["dataset"], (folder_ / "out.safetensors").string());
  const auto lines = static_cast<Offset>(lines_of(small_table()).size());
  EXPECT_EQ(document["read"]["lines"], lines);
  EXPECT_EQ(document["read"]["interactions"], lines - 1);
  EXPECT_EQ(written.train.nnz() + written.valid.nnz() + written.test.nnz(), lines - 1);
  EXPECT_TRUE(document["findings"].is_array());
  EXPECT_EQ(Json::parse(written.doctor)["findings"], document["findings"]);
}

TEST_F(PrepareTest, TellsAPersonTheSame) {
  folder_.file("table.tsv", kTable);
  const std::string text =
      output_of("prepare %/table.tsv --min-rating 2 --split none -o %/out.safetensors");
  EXPECT_THAT(text, AllOf(HasSubstr("read      6 lines, 4 interactions"),
                          HasSubstr("dropped   1 below the smallest rating"),
                          HasSubstr("kept      2 users × 2 items"), HasSubstr("3 training"),
                          HasSubstr("doctor    "), HasSubstr("out.safetensors")));
}

TEST_F(PrepareTest, SaysWhatItTookTheColumnsFor) {
  folder_.file("table.tsv", kTable);
  folder_.file("bare.csv", "1,7,978300760\n2,7,978300761\n2,8,978300762\n");
  folder_.file("lines.jsonl", "{\"reviewerID\": \"a\", \"asin\": \"x\", \"overall\": 5}\n");
  const auto read = [this](const std::string& file) {
    return json_of("prepare %/" + file + " --split none -o %/out.safetensors")["read"];
  };
  const auto text = [this](const std::string& file) {
    return output_of("prepare %/" + file + " --split none -o %/out.safetensors");
  };
  const Json named = read("table.tsv");
  EXPECT_EQ(named["columns"], Json({{"user", "user"}, {"item", "item"}, {"rating", "rating"}}));
  EXPECT_EQ(named["delimiter"], "\t");
  EXPECT_EQ(named["header"], true);
  EXPECT_THAT(text("table.tsv"), HasSubstr("columns   user: user, item: item, rating: rating; "
                                           "delimited by tabs; the first row is the header\n"));
  const Json bare = read("bare.csv");
  EXPECT_EQ(bare["columns"], Json({{"user", "1"}, {"item", "2"}, {"time", "3"}}));
  EXPECT_EQ(bare["delimiter"], ",");
  EXPECT_EQ(bare["header"], false);
  EXPECT_THAT(text("bare.csv"), HasSubstr("columns   user: 1, item: 2, time: 3; "
                                          "delimited by ','; there is no header\n"));
  EXPECT_EQ(read("lines.jsonl")["delimiter"], "");
  EXPECT_THAT(text("lines.jsonl"),
              HasSubstr("columns   user: reviewerID, item: asin, rating: overall\n"));
}

TEST_F(PrepareTest, OneIsNotMany) {
  folder_.file("one.tsv", "user\titem\na\tx\na\tx\nbad\n");
  const std::string text =
      output_of("prepare %/one.tsv --skip-bad-lines --split none -o %/out.safetensors");
  EXPECT_THAT(text, AllOf(HasSubstr("1 user × 1 item\n"), HasSubstr("1 bad line\n"),
                          HasSubstr("1 of 4 lines cannot be read and was skipped"),
                          HasSubstr("1 interaction repeats another and is counted once")));
}

TEST_F(PrepareTest, TheDoctorNamesRepetitions) {
  folder_.file("table.tsv", kTable);
  const Json document = json_of("prepare %/table.tsv --split none -o %/out.safetensors");
  std::vector<std::string> kinds;
  for (const Json& finding : document["findings"]) kinds.push_back(finding["kind"]);
  EXPECT_THAT(kinds, Contains("duplicates"));
}

// A rating or count is no confidence: it is used as a filter, or said not to be used, or refused.
TEST_F(PrepareTest, RatingsAreNeverIgnoredInSilence) {
  folder_.file("table.tsv", kTable);
  const std::string line = "prepare %/table.tsv --split none -o %/out.safetensors ";
  const std::string remark = "The values in column 'rating' go from 1 to 5 and are not used";
  EXPECT_THAT(output_of(line), HasSubstr("doctor    " + remark));
  EXPECT_THAT(json_of(line)["findings"].dump(),
              AllOf(HasSubstr("\"weights-not-used\""), HasSubstr(remark)));
  EXPECT_THAT(dataset().doctor, HasSubstr(remark));
  EXPECT_THAT(output_of(line + "--min-rating 2"), HasSubstr("Ratings decide what is kept"));
  EXPECT_THAT(output_of(line + "--rating none"), testing::Not(HasSubstr("ounts alike")));
  std::filesystem::remove(folder_ / "out.safetensors");
  expect_sentence(run(line + "--rating rating"), "--rating rating");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.safetensors"));
}

// Whoever trains from the raw file sees the same, on the screen and as JSON.
TEST_F(PrepareTest, RatingsAreMentionedOnTheWayToAModel) {
  std::string rated = "user\titem\trating\n";
  for (const std::string& row : lines_of(small_table())) {
    if (row != "user\titem") rated += row + "\t" + std::to_string(row.size()) + "\n";
  }
  folder_.file("rated.tsv", rated);
  for (const char* command :
       {"train %/rated.tsv -o %/out --rank 3 --no-tune --json",
        "tune %/rated.tsv --rank 3 --budget 1trials --json",
        "compare %/rated.tsv --losses rg2 --rank 3 --budget 1trials --json"}) {
    const Outcome outcome = run(command);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("note: The values in column 'rating'")) << command;
    EXPECT_EQ(Json::parse(outcome.out)["findings"][0]["kind"], "weights-not-used") << command;
  }
  prepare();
  EXPECT_FALSE(
      json_of("train %/data.safetensors -o %/out --rank 3 --no-tune").contains("findings"));
  expect_sentence(run("train %/rated.tsv -o %/out --rank 3 --no-tune --quiet --rating 3"),
                  "--rating 3");
}

TEST_F(PrepareTest, BadLinesAreCountedIfAskedTo) {
  folder_.file("table.tsv", "user\titem\na\tx\nb\nc\ty\n");
  const Json read =
      json_of("prepare %/table.tsv --skip-bad-lines --split none -o %/out.safetensors")["read"];
  EXPECT_EQ(read["bad_lines"], 1);
  EXPECT_EQ(read["first_bad_lines"][0]["line"], 3);
  EXPECT_THAT(read["first_bad_lines"][0]["file"].get<std::string>(), HasSubstr("table.tsv"));
}

TEST_F(PrepareTest, SeedsAndRatiosDecideTheSplit) {
  const auto print = [this](const std::string& options) {
    return json_of("prepare %/small.tsv -o %/out.safetensors " + options);
  };
  const Json one = print("--seed 1");
  EXPECT_EQ(one["fingerprint"], print("--seed 1")["fingerprint"]);
  EXPECT_NE(one["fingerprint"], print("--seed 2")["fingerprint"]);
  const Json nothing_held_out = print("--split none");
  EXPECT_EQ(nothing_held_out["valid"], 0);
  EXPECT_EQ(nothing_held_out["test"], 0);
  const Json halves = print("--ratio 0.5,0,0.5");
  EXPECT_EQ(halves["valid"], 0);
  EXPECT_GT(halves["test"], one["test"]);
  EXPECT_EQ(print("--split leave-one-out")["test"], 40);
  EXPECT_GT(print("--split strong")["history"], 0);
}

TEST_F(PrepareTest, AColumnMaySayThePart) {
  folder_.file("parts.tsv", "u\ti\tpart\na\tx\ttrain\na\ty\tvalid\nb\tx\ttrain\nb\ty\ttest\n");
  const Json document =
      json_of("prepare %/parts.tsv --user u --item i --split-column part -o %/out.safetensors");
  EXPECT_EQ(document["train"], 2);
  EXPECT_EQ(document["valid"], 1);
  EXPECT_EQ(document["test"], 1);
}

TEST_F(PrepareTest, FilesMaySayThePart) {
  folder_.file("train.tsv", "user\titem\na\tx\nb\tx\nb\ty\n");
  folder_.file("valid.tsv", "user\titem\na\ty\n");
  folder_.file("test.tsv", "user\titem\na\tz\n");
  const Json document = json_of(
      "prepare %/train.tsv --valid-file %/valid.tsv --test-file %/test.tsv -o %/out.safetensors");
  EXPECT_EQ(document["train"], 3);
  EXPECT_EQ(document["valid"], 1);
  EXPECT_EQ(document["test"], 1);
}

TEST_F(PrepareTest, KcoreLeavesRowsOfThatDegree) {
  json_of("prepare %/small.tsv --kcore 8 --split none -o %/out.safetensors");
  const Dataset written = dataset();
  ASSERT_GT(written.user_count(), 0);
  EXPECT_LT(written.item_count(), 30);
  for (const Index degree : row_degrees(written.train)) EXPECT_GE(degree, 8);
  for (const Index degree : column_degrees(written.train)) EXPECT_GE(degree, 8);
}

// <(command) of a shell: bytes come once, so nobody may look at them before the reader does.
TEST_F(PrepareTest, APipeIsReadFromItsFirstByte) {
  const auto through_pipe = [](const std::string& text, Words words) {
    std::array<int, 2> ends = {};
    EXPECT_EQ(::pipe(ends.data()), 0);
    std::thread writer([&] {
      EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
      ::close(ends[1]);
    });
    words.push_back("/dev/fd/" + std::to_string(ends[0]));
    Outcome outcome = call(words);
    writer.join();
    ::close(ends[0]);
    return outcome;
  };
  const std::string out = (folder_ / "out.safetensors").string();
  EXPECT_EQ(through_pipe(small_table(), {"prepare", "-o", out}).code, 0);
  EXPECT_EQ(dataset().user_count(), 40);
  const Outcome outcome =
      through_pipe(small_table(), {"train", "-o", out, "--rank", "3", "--no-tune", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json_of("inspect %/out.safetensors")["users"], 40);
}

}  // namespace
}  // namespace sqmax::testing_cli
