// Models in memory: whole, and out of reach of whoever writes to the file.
#include "sqmax/model/in_memory.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"
#include "tests/support/hostile_file.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

// Something in every part.
Model full_model() {
  Model model{
      .users = table_of({"Anna", "Жанна"}),
      .items = table_of({"a", "b", "c"}),
      .P = {2, 2, std::vector<float>{1, 2, -1, 0.5f}},
      .Q = {3, 2, std::vector<float>{1, 1, 0, -2, 3, 4}},
      .links = {.targets = {3, 3, std::vector<Offset>{0, 1, 1, 2}, std::vector<Index>{1, 0}},
                .values = std::vector<float>{0.5f, -2}},
      .seen = {2, 3, std::vector<Offset>{0, 2, 3}, std::vector<Index>{0, 1, 1}},
      .user_extra = std::vector<float>{3, 4},
      .item_extra = std::vector<float>{5, 6, 7},
      .about_items = {.columns = {"title"}, .values = {table_of({"An A", "Bee", "Sea"})}}};
  model.loss = "rg2";
  model.story = R"({"seed":7})";
  return model;
}

std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class InMemory : public testing::Test {
 protected:
  InMemory() { save_model(full_model(), path_); }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "model.safetensors";
};

TEST_F(InMemory, IsAllOfTheFile) {
  save_model(load_model_in_memory(path_), folder_ / "again");
  EXPECT_EQ(bytes_of_file(folder_ / "again"), bytes_of_file(path_));
}

// As `cp` does: the same file, cut to nothing, then with other bytes. Of a mapped file the first
// is a signal, the second indices that nobody has checked.
TEST_F(InMemory, StaysAsItWasWhateverIsWrittenToTheFile) {
  const Model model = load_model_in_memory(path_);
  const std::string before = bytes_of_file(path_);
  std::filesystem::resize_file(path_, 0);
  save_model(model, folder_ / "again");
  EXPECT_EQ(bytes_of_file(folder_ / "again"), before);
  std::ofstream(path_, std::ios::binary) << std::string(before.size(), '\x7f');
  save_model(model, folder_ / "once more");
  EXPECT_EQ(bytes_of_file(folder_ / "once more"), before);
}

TEST_F(InMemory, HasTheSameSentences) {
  const std::string whole = bytes_of_file(path_);
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, whole.size() - 1}) {
    std::filesystem::resize_file(path_, size);
    const std::string mapped = error_of([&] { load_model(path_); });
    EXPECT_THAT(mapped, HasSubstr("model.safetensors"));
    EXPECT_EQ(error_of([&] { load_model_in_memory(path_); }), mapped);
  }
  for (const std::filesystem::path& path : {folder_.path(), folder_ / "absent"}) {
    const std::string mapped = error_of([&] { load_model(path); });
    EXPECT_NE(mapped, "");
    EXPECT_EQ(error_of([&] { load_model_in_memory(path); }), mapped);
  }
}

}  // namespace
}  // namespace sqmax
