// Dataset files: a round trip, and every lie that such a file could tell.
#include "sqmax/data/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"
#include "tests/support/hostile_file.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::ElementsAreArray;
using testing::HasSubstr;

Dataset sample() {
  return {.users = table_of({"Anna", "Жанна", ""}),
          .items = table_of({"a", "b", "c", "d"}),
          .train = {3, 4, std::vector<Offset>{0, 2, 3, 3}, std::vector<Index>{0, 3, 1}},
          .valid = {3, 4, std::vector<Offset>{0, 1, 1, 1}, std::vector<Index>{1}},
          .test = {3, 4, std::vector<Offset>{0, 1, 2, 3}, std::vector<Index>{2, 0, 3}},
          .history = {3, 4, std::vector<Offset>{0, 0, 0, 2}, std::vector<Index>{0, 1}},
          .recipe = R"({"seed":7})",
          .doctor = R"({"findings":[]})"};
}

void expect_equal(const Csr& a, const Csr& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_THAT(a.offsets.span(), ElementsAreArray(b.offsets.span()));
  EXPECT_THAT(a.indices.span(), ElementsAreArray(b.indices.span()));
}

TEST(DatasetFile, ReadsBackWhatWasSaved) {
  const TemporaryFolder folder;
  const auto path = folder / "data.safetensors";
  const Dataset saved = sample();
  save_dataset(saved, path);
  const Dataset loaded = load_dataset(path);
  expect_equal(loaded.train, saved.train);
  expect_equal(loaded.valid, saved.valid);
  expect_equal(loaded.test, saved.test);
  expect_equal(loaded.history, saved.history);
  EXPECT_EQ(loaded.users[1], "Жанна");
  EXPECT_EQ(loaded.users[2], "");
  EXPECT_EQ(loaded.items[3], "d");
  EXPECT_EQ(loaded.recipe, saved.recipe);
  EXPECT_EQ(loaded.doctor, saved.doctor);
  EXPECT_EQ(fingerprint(loaded), fingerprint(saved));
}

TEST(DatasetFile, AnEmptyDatasetIsSound) {
  const TemporaryFolder folder;
  const auto path = folder / "data.safetensors";
  save_dataset({}, path);
  EXPECT_EQ(load_dataset(path).user_count(), 0);
}

TEST(Fingerprint, ChangesWithEveryPartAndId) {
  std::set<std::string> seen = {fingerprint(sample())};
  const auto is_new = [&seen](const auto& change) {
    Dataset dataset = sample();
    change(dataset);
    return seen.insert(fingerprint(dataset)).second;
  };
  EXPECT_TRUE(is_new([](Dataset& d) { d.train.indices = std::vector<Index>{0, 2, 1}; }));
  EXPECT_TRUE(is_new([](Dataset& d) { d.train.offsets = std::vector<Offset>{0, 1, 3, 3}; }));
  EXPECT_TRUE(is_new([](Dataset& d) { std::swap(d.valid, d.history); }));
  EXPECT_TRUE(is_new([](Dataset& d) { std::swap(d.test, d.history); }));
  EXPECT_TRUE(is_new([](Dataset& d) { d.users = table_of({"Anna", "Жанна", "x"}); }));
  EXPECT_TRUE(is_new([](Dataset& d) { d.items = table_of({"a", "b", "c", "e"}); }));
  EXPECT_FALSE(is_new([](Dataset& d) { d.recipe = "{}"; }));
}

class DatasetLie : public testing::TestWithParam<Lie<Dataset>> {};

TEST_P(DatasetLie, IsNoticed) {
  const TemporaryFolder folder;
  const auto path = folder / "data.safetensors";
  Dataset dataset = sample();
  GetParam().tell(dataset);
  save_dataset(dataset, path);
  EXPECT_THAT(error_of([&] { load_dataset(path); }),
              AllOf(HasSubstr("data.safetensors"), HasSubstr(GetParam().about)));
}

using Offsets = std::vector<Offset>;
using Indices = std::vector<Index>;

const std::vector<Lie<Dataset>> kLies = {
    {"'train'",
     [](Dataset& d) {
       d.train.offsets = Offsets{0, 2, 3};
     }},
    {"'train'",
     [](Dataset& d) {
       d.train.offsets = Offsets{0, 2, 3, 3, 3};
     }},
    {"'train'",
     [](Dataset& d) {
       d.train.offsets = Offsets{0, 4, 3, 3};
     }},
    {"'train'",
     [](Dataset& d) {
       d.train.offsets = Offsets{0, -1, 3, 3};
     }},
    {"'train'",
     [](Dataset& d) {
       d.train.offsets = Offsets{1, 2, 3, 3};
     }},
    {"'train'",
     [](Dataset& d) {
       d.train.offsets = Offsets{0, 2, 3, 4};
     }},
    {"'train'",
     [](Dataset& d) {
       d.train.offsets = Offsets{0, 2, 2, 2};
     }},
    {"'train'", [](Dataset& d) { d.train.offsets = Offsets{}; }},
    {"'valid'", [](Dataset& d) { d.valid.indices = Indices{4}; }},
    {"'valid'", [](Dataset& d) { d.valid.indices = Indices{-1}; }},
    {"'test'",
     [](Dataset& d) {
       d.test.offsets = Offsets{0, 2, 2, 3};
     }},
    {"'history'",
     [](Dataset& d) {
       d.history.indices = Indices{1, 1};
     }},
    {"two parts", [](Dataset& d) { d.valid.indices = Indices{3}; }},
    {"two parts",
     [](Dataset& d) {
       d.test.indices = Indices{2, 1, 3};
     }},
    {"two parts",
     [](Dataset& d) {
       d.test.indices = Indices{1, 0, 3};
     }},
    {"two parts",
     [](Dataset& d) {
       d.history.indices = Indices{0, 3};
     }},
    {"users",
     [](Dataset& d) {
       d.users.offsets = Offsets{0, 4, 99, 14};
     }},
    {"users", [](Dataset& d) { d.users.offsets = Offsets{}; }},
    {"items",
     [](Dataset& d) {
       d.items.offsets = Offsets{0, 1, 2, 3, 5};
     }},
    {"'train'", [](Dataset& d) { d.users = table_of({"Anna"}); }},
    {"range", [](Dataset& d) { d.items = table_of({"a"}); }},
    {"shape", [](Dataset& d) { d.train.cols = 9; }},
    {"users is not UTF-8",
     [](Dataset& d) {
       d.users = table_of({"Anna", "\xff", ""});
     }},
    // both halves of a character: the text as a whole would do
    {"items is not UTF-8",
     [](Dataset& d) {
       d.items = table_of({"a\xd0", "\x96", "c", "d"});
     }},
    {"'recipe' is not JSON", [](Dataset& d) { d.recipe = "{"; }},
    {"'doctor' is not JSON", [](Dataset& d) { d.doctor = "no"; }}};
INSTANTIATE_TEST_SUITE_P(Dataset, DatasetLie, testing::ValuesIn(kLies));

TEST(DatasetFile, AFileWithoutItsTensorsIsNoDataset) {
  const TemporaryFolder folder;
  const auto path = folder / "data.safetensors";
  TensorFileWriter("dataset").write(path);
  EXPECT_THAT(error_of([&] { load_dataset(path); }), HasSubstr("lacks the tensor 'users.offsets'"));
  TensorFileWriter("model").write(path);
  EXPECT_THAT(error_of([&] { load_dataset(path); }), HasSubstr("it is a model"));
}

TEST(DatasetFile, AForeignFingerprintIsNoticed) {
  const TemporaryFolder folder;
  const auto path = folder / "data.safetensors";
  save_dataset({}, path);
  const TensorFile file = TensorFile::open(path, "dataset");
  TensorFileWriter writer("dataset");
  for (const auto* key : {"recipe", "doctor", "shape"}) writer.set(key, file.metadata(key));
  writer.set("fingerprint", "0123456789abcdef");
  copy_tensors(file, writer);
  writer.write(path);
  EXPECT_THAT(error_of([&] { load_dataset(path); }), HasSubstr("fingerprint"));
}

}  // namespace
}  // namespace sqmax
