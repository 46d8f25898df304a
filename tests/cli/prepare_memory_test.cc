// sqmax prepare --memory: the same dataset by way of the disk, and nothing left there.
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// 4,000 rows with times and parts, in no order, with repetitions.
std::string timed_table() {
  Random random(2, Purpose::Test);
  std::string text = "user\titem\trating\ttime\tpart\n";
  for (int row = 0; row < 4000; ++row) {
    const auto number = [&](std::uint64_t bound) { return std::to_string(random.below(bound)); };
    text += "somebody " + number(700) + "\tthing " + number(90) + "\t" + number(5) + "\t" +
            number(2000) + "\t" + number(3) + "\n";
  }
  return text;
}

class PrepareMemoryTest : public ProgramTest {
 protected:
  PrepareMemoryTest() { folder_.file("table.tsv", timed_table()); }

  std::string bytes_of(const std::string& options) const {
    output_of("prepare -o %/out.safetensors " + options);
    return contents(folder_ / "out.safetensors");
  }
};

TEST_F(PrepareMemoryTest, DoesNotChangeAByte) {
  for (const std::string split :
       {"--split ratio", "--split leave-one-out", "--split user-time", "--split time",
        "--split strong", "--split given --split-column part"}) {
    for (const std::string filter : {"", " --kcore 3 --min-rating 1"}) {
      const std::string line = "%/table.tsv " + split + filter;
      const std::string expected = bytes_of(line);
      for (const std::string memory : {"64K --threads 1", "90K --threads 3", "64M"}) {
        EXPECT_EQ(bytes_of(line + " --memory " + memory), expected) << line << memory;
      }
    }
  }
}

TEST_F(PrepareMemoryTest, HoldsForPartsInFilesAndOtherFormats) {
  folder_.file("lines.txt", "0 17 4 25\n1 4\n2 4 25 17 9\n");
  folder_.file("more.jsonl",
               "{\"user\": \"0\", \"item\": \"33\"}\n{\"user\": \"7\", \"item\": \"4\"}\n");
  for (const std::string line : {"%/table.tsv --valid-file %/small.tsv --test-file %/lines.txt",
                                 "%/lines.txt %/more.jsonl", "%/small.tsv"}) {
    EXPECT_EQ(bytes_of(line + " --memory 64K"), bytes_of(line)) << line;
  }
}

TEST_F(PrepareMemoryTest, SaysThatItWorksOnDiskAndWhere) {
  const std::string line = "prepare %/table.tsv -o %/out.safetensors --memory ";
  const Outcome little = run(line + "64K");
  const std::string folder = folder_.path().string();
  EXPECT_THAT(little.err, AllOf(HasSubstr("working on disk, in temporary files in " + folder),
                                HasSubstr("64K")));
  EXPECT_THAT(little.out, HasSubstr("worked    on disk, in " + folder));
  EXPECT_EQ(json_of(line + "64K")["on_disk"], true);
  const Outcome much = run(line + "1G");
  EXPECT_THAT(much.err + much.out, Not(HasSubstr("on disk")));
  EXPECT_EQ(json_of("prepare %/table.tsv -o %/out.safetensors")["on_disk"], false);
}

TEST_F(PrepareMemoryTest, RefusesWhatIsNoSize) {
  for (const std::string size : {"0", "12", "lots", "1.5G", "-1"}) {
    expect_sentence(run("prepare %/small.tsv -o %/out.safetensors --memory " + size), "--memory");
  }
}

class FullDisk : public PrepareMemoryTest {
 protected:
  ~FullDisk() override { allow(RLIM_INFINITY); }
};

TEST_F(FullDisk, EndsWithASentenceAndLeavesNothing) {
  const auto before = snapshot(folder_.path());
  for (const rlim_t room : {0U, 100U, 5000U}) {
    allow(room);
    const Outcome outcome = run("prepare %/table.tsv -o %/out.safetensors --memory 64K --quiet");
    allow(RLIM_INFINITY);
    expect_sentence(outcome, "a temporary file in " + folder_.path().string());
    EXPECT_EQ(snapshot(folder_.path()), before);
  }
}

}  // namespace
}  // namespace sqmax::testing_cli
