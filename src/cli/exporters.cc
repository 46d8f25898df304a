// Exporters: .npy, .safetensors and .tsv.
#include "cli/exporters.h"

#include <fmt/format.h>

#include "sqmax/core/atomic_file.h"
#include "sqmax/core/tensor_file.h"

#include "cli/tsv.h"
#include "core/fail.h"
#include "core/folders.h"
#include "data/stored_parts.h"

namespace sqmax::cli {
namespace {

constexpr std::size_t kNpyAlignment = 64;

void remove_file(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) fail(Errc::Io, "Cannot remove {}: {}.", path.string(), error.message());
}

// NumPy's format 1.0: magic, version, header length, a Python dictionary, the values.
void write_npy(const std::filesystem::path& path, std::string_view type, const std::string& shape,
               std::span<const std::byte> values) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  const std::size_t before = 10;  // magic, version and length
  header.append(kNpyAlignment - (before + header.size() + 1) % kNpyAlignment, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  AtomicFile file(path);
  file.write(std::string_view("\x93NUMPY\x01\x00", 8));
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  file.write(values);
  file.commit();
}

void write_npy(const std::filesystem::path& path, const Matrix& matrix) {
  write_npy(path, "<f4", fmt::format("{}, {}", matrix.rows(), matrix.cols()),
            std::as_bytes(matrix.values()));
}

// The three arrays of a SciPy csr_matrix.
void write_links_npy(const std::filesystem::path& folder, const Links& links) {
  if (links.empty()) {  // those of another model must not stay
    for (const char* name : {"links_indptr.npy", "links_indices.npy", "links_data.npy"}) {
      remove_file(folder / name);
    }
    return;
  }
  const auto shape = [](const auto& array) { return fmt::format("{},", array.size()); };
  const Csr& targets = links.targets;
  write_npy(folder / "links_indptr.npy", "<i8", shape(targets.offsets),
            std::as_bytes(targets.offsets.span()));
  write_npy(folder / "links_indices.npy", "<i4", shape(targets.indices),
            std::as_bytes(targets.indices.span()));
  write_npy(folder / "links_data.npy", "<f4", shape(links.values),
            std::as_bytes(links.values.span()));
}

Json export_npy(const Model& model, const ServingVectors& vectors,
                const std::filesystem::path& path, Session&) {
  make_folder(path);
  write_npy(path / "user_vectors.npy", vectors.users);
  write_npy(path / "item_vectors.npy", vectors.items);
  write_links_npy(path, vectors.links);
  write_ids(path / "users.json", model.users);
  write_ids(path / "items.json", model.items);
  return Json::object();
}

Json export_safetensors(const Model& model, const ServingVectors& vectors,
                        const std::filesystem::path& path, Session&) {
  TensorFileWriter writer("vectors");
  const Matrix& users = vectors.users;
  const Matrix& items = vectors.items;
  writer.add<float>("user_vectors", {users.rows(), users.cols()}, users.values());
  writer.add<float>("item_vectors", {items.rows(), items.cols()}, items.values());
  store(writer, "users", model.users);
  store(writer, "items", model.items);
  store_links(writer, vectors.links);
  writer.write(path);
  return Json::object();
}

void write_tsv(const std::filesystem::path& path, const IdTable& ids, const Matrix& vectors) {
  AtomicFile file(path);
  for (Offset r = 0; r < vectors.rows(); ++r) {
    std::string line(ids[static_cast<Index>(r)]);
    for (const float value : vectors.row(r))
      fmt::format_to(std::back_inserter(line), "\t{:.9g}", value);
    file.write(line + "\n");
  }
  file.commit();
}

void write_links_tsv(const std::filesystem::path& path, const IdTable& items, const Links& links) {
  if (links.empty()) return remove_file(path);
  AtomicFile file(path);
  for (Index z = 0; z < links.targets.rows; ++z) {
    std::string lines;
    const auto begin = at(links.targets.offsets[at(z)]);
    const auto targets = links.targets.view().row(z);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      fmt::format_to(std::back_inserter(lines), "{}\t{}\t{:.9g}\n", items[z], items[targets[i]],
                     links.values[begin + i]);
    }
    file.write(lines);
  }
  file.commit();
}

Json export_tsv(const Model& model, const ServingVectors& vectors,
                const std::filesystem::path& path, Session&) {
  check_fits_tsv(model.users, "use npy");
  check_fits_tsv(model.items, "use npy");
  make_folder(path);
  write_tsv(path / "user_vectors.tsv", model.users, vectors.users);
  write_tsv(path / "item_vectors.tsv", model.items, vectors.items);
  write_links_tsv(path / "links.tsv", model.items, vectors.links);
  return Json::object();
}

}  // namespace

std::span<const Exporter> exporters() {
  static const std::vector<Exporter> table = {
      {"npy", "a folder of NumPy matrices, with the ids as JSON", &export_npy},
      {"safetensors", "one file of vectors and ids", &export_safetensors},
      {"tsv", "a folder of text tables: id, then the vector; links as source, target, value",
       &export_tsv},
      {"hnsw", "a folder with an hnswlib index of the items and their ids", &export_hnsw, false},
  };
  return table;
}

void make_folder(const std::filesystem::path& path) { make_folders(path); }

void write_ids(const std::filesystem::path& path, const IdTable& ids) {
  Json list = Json::array();
  for (Index i = 0; i < ids.size(); ++i) list.push_back(std::string(ids[i]));
  AtomicFile file(path);
  file.write(list.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.commit();
}

}  // namespace sqmax::cli
