// Dataset: one tensor file; nothing in it is believed before it is checked.
#include "sqmax/data/dataset.h"

#include <algorithm>
#include <functional>
#include <limits>

#include <nlohmann/json.hpp>

#include "sqmax/core/parallel.h"
#include "sqmax/core/tensor_file.h"

#include "core/fail.h"
#include "core/tensor_header.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerBlock = 4096;

std::string shape_text(const Dataset& dataset) {
  return fmt::format("{} {}", dataset.user_count(), dataset.item_count());
}

template <class T>
void add_array(TensorFileWriter& writer, const std::string& name, const Array<T>& values) {
  writer.add<T>(name, {static_cast<std::int64_t>(values.size())}, values.span());
}

void add_matrix(TensorFileWriter& writer, const std::string& name, const Csr& matrix) {
  add_array(writer, name + ".offsets", matrix.offsets);
  add_array(writer, name + ".indices", matrix.indices);
}

void add_ids(TensorFileWriter& writer, const std::string& name, const IdTable& ids) {
  add_array(writer, name + ".offsets", ids.offsets);
  add_array(writer, name + ".text", ids.text);
}

// Offsets begin at 0, never fall, and end at `last`.
bool are_offsets(std::span<const Offset> offsets, std::size_t last) {
  return !offsets.empty() && offsets.front() == 0 && at(offsets.back()) == last &&
         std::is_sorted(offsets.begin(), offsets.end());
}

bool is_sound_row(std::span<const Index> row, Index cols) {
  const bool in_range = row.empty() || (row.front() >= 0 && row.back() < cols);
  return in_range &&
         std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
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

/// Reads one file; every doubt ends in one sentence that names it.
class Loader {
 public:
  explicit Loader(const std::filesystem::path& path) : file_(TensorFile::open(path, "dataset")) {}

  Dataset load() const {
    Dataset dataset;
    dataset.users = ids("users");
    dataset.items = ids("items");
    const Index rows = dataset.users.size();
    const Index cols = dataset.items.size();
    dataset.train = matrix("train", rows, cols);
    dataset.valid = matrix("valid", rows, cols);
    dataset.test = matrix("test", rows, cols);
    dataset.history = matrix("history", rows, cols);
    dataset.recipe = json("recipe");
    dataset.doctor = json("doctor");
    check_disjoint(dataset);
    check(file_.metadata("shape") == shape_text(dataset), "its shape is not that of its ids");
    check(file_.metadata("fingerprint") == fingerprint(dataset),
          "its fingerprint is not that of its interactions");
    return dataset;
  }

 private:
  template <class... Args>
  void check(bool sound, fmt::format_string<Args...> reason, Args&&... args) const {
    if (sound) return;
    fail(Errc::BadFile, "Cannot read {}: {}.", file_.path().string(),
         fmt::format(reason, std::forward<Args>(args)...));
  }

  template <class T>
  Array<T> array(const std::string& name) const {
    const auto values = file_.array<T>(name);
    check(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(T) == 0,
          "its tensor '{}' is not aligned", name);
    return values;
  }

  IdTable ids(const std::string& side) const {
    IdTable table{array<Offset>(side + ".offsets"), array<std::uint8_t>(side + ".text")};
    check(table.offsets.size() <= at(std::numeric_limits<Index>::max()),
          "it has more {} than sqmax can count", side);
    check(are_offsets(table.offsets.span(), table.text.size()),
          "the offsets of its {} do not fit their text", side);
    return table;
  }

  Csr matrix(const std::string& part, Index rows, Index cols) const {
    Csr matrix{rows, cols, array<Offset>(part + ".offsets"), array<Index>(part + ".indices")};
    check(
        matrix.offsets.size() == at(rows) + 1 && are_offsets(matrix.offsets.span(), matrix.indices.size()),
        "the offsets of its part '{}' do not fit its users and interactions", part);
    parallel_blocks(rows, kRowsPerBlock, [&](const Block& block) {
      for (Offset r = block.begin; r < block.end; ++r) {
        check(is_sound_row(matrix.view().row(static_cast<Index>(r)), cols),
              "a row of its part '{}' is out of order or range", part);
      }
    });
    return matrix;
  }

  void check_disjoint(const Dataset& dataset) const {
    const std::array<CsrView, 4> parts = {dataset.train, dataset.valid, dataset.test,
                                          dataset.history};
    parallel_blocks(dataset.user_count(), kRowsPerBlock, [&](const Block& block) {
      for (std::size_t a = 0; a < parts.size(); ++a) {
        for (std::size_t b = a + 1; b < parts.size(); ++b) {
          for (auto r = static_cast<Index>(block.begin); r < block.end; ++r) {
            check(!have_common(parts[a].row(r), parts[b].row(r)),
                  "one of its interactions is in two parts");
          }
        }
      }
    });
  }

  const std::string& json(const std::string& key) const {
    const std::string& text = file_.metadata(key);
    check(nlohmann::json::accept(text), "its entry '{}' is not JSON", key);
    return text;
  }

  TensorFile file_;
};

}  // namespace

void save_dataset(const Dataset& dataset, const std::filesystem::path& path) {
  TensorFileWriter writer("dataset");
  writer.set("recipe", dataset.recipe);
  writer.set("doctor", dataset.doctor);
  writer.set("shape", shape_text(dataset));
  writer.set("fingerprint", fingerprint(dataset));
  add_ids(writer, "users", dataset.users);
  add_ids(writer, "items", dataset.items);
  add_matrix(writer, "train", dataset.train);
  add_matrix(writer, "valid", dataset.valid);
  add_matrix(writer, "test", dataset.test);
  add_matrix(writer, "history", dataset.history);
  writer.write(path);
}

Dataset load_dataset(const std::filesystem::path& path) { return Loader(path).load(); }

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
