// Dataset: one tensor file of four matrices and two id tables.
#include "sqmax/data/dataset.h"

#include <array>

#include "sqmax/core/parallel.h"

#include "core/tensor_header.h"
#include "data/stored_parts.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerBlock = 4096;

std::string shape_text(const Dataset& dataset) {
  return fmt::format("{} {}", dataset.user_count(), dataset.item_count());
}

bool have_common(std::span<const Index> a, std::span<const Index> b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) return true;
    ++(a[i] < b[j] ? i : j);
  }
  return false;
}

void check_disjoint(const PartReader& reader, const Dataset& dataset) {
  const std::array<CsrView, 4> parts = {dataset.train, dataset.valid, dataset.test,
                                        dataset.history};
  parallel_blocks(dataset.user_count(), kRowsPerBlock, [&](const Block& block) {
    for (std::size_t a = 0; a < parts.size(); ++a) {
      for (std::size_t b = a + 1; b < parts.size(); ++b) {
        for (auto r = static_cast<Index>(block.begin); r < block.end; ++r) {
          reader.check(!have_common(parts[a].row(r), parts[b].row(r)),
                       "one of its interactions is in two parts");
        }
      }
    }
  });
}

}  // namespace

void save_dataset(const Dataset& dataset, const std::filesystem::path& path) {
  TensorFileWriter writer("dataset");
  writer.set("recipe", dataset.recipe);
  writer.set("doctor", dataset.doctor);
  writer.set("shape", shape_text(dataset));
  writer.set("fingerprint", fingerprint(dataset));
  store(writer, "users", dataset.users);
  store(writer, "items", dataset.items);
  store(writer, "train", dataset.train);
  store(writer, "valid", dataset.valid);
  store(writer, "test", dataset.test);
  store(writer, "history", dataset.history);
  store(writer, dataset.about_items);
  writer.write(path);
}

Dataset load_dataset(const std::filesystem::path& path) {
  const PartReader reader(path, "dataset");
  Dataset dataset;
  dataset.users = reader.ids("users");
  dataset.items = reader.ids("items");
  const Index rows = dataset.users.size();
  const Index cols = dataset.items.size();
  dataset.train = reader.matrix("train", rows, cols);
  dataset.valid = reader.matrix("valid", rows, cols);
  dataset.test = reader.matrix("test", rows, cols);
  dataset.history = reader.matrix("history", rows, cols);
  dataset.about_items = reader.item_table(cols);
  dataset.recipe = reader.json("recipe");
  dataset.doctor = reader.json("doctor");
  check_disjoint(reader, dataset);
  reader.check(reader.file().metadata("shape") == shape_text(dataset),
               "its shape is not that of its ids");
  reader.check(reader.file().metadata("fingerprint") == fingerprint(dataset),
               "its fingerprint is not that of its interactions");
  return dataset;
}

// The offsets of every array fix where the next one begins, so no two datasets hash the same bytes.
std::string fingerprint(const Dataset& dataset) {
  Checksum checksum;
  const auto add = [&checksum](const auto& values) { checksum.add(std::as_bytes(values.span())); };
  for (const IdTable* ids : {&dataset.users, &dataset.items}) {
    const auto count = ids->offsets.size();
    checksum.add(std::as_bytes(std::span(&count, 1)));
    add(ids->offsets);
    add(ids->text);
  }
  for (const Csr* part : {&dataset.train, &dataset.valid, &dataset.test, &dataset.history}) {
    add(part->offsets);
    add(part->indices);
  }
  return checksum.digest();
}

}  // namespace sqmax
