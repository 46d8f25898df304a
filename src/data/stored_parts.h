// Matrices and ids inside tensor files: how datasets and models store them.
// docs/file-formats.md
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "sqmax/core/tensor_file.h"
#include "sqmax/data/csr.h"
#include "sqmax/data/id_table.h"
#include "sqmax/data/item_table.h"

#include "core/fail.h"

namespace sqmax {

/// name.offsets and name.indices; name.offsets and name.text. The arrays must outlive the writer.
void store(TensorFileWriter& writer, const std::string& name, const Csr& matrix);
void store(TensorFileWriter& writer, const std::string& name, const IdTable& ids);
/// item_columns.0.offsets, item_columns.0.text, …, and their names in the metadata, if there are
/// any.
void store(TensorFileWriter& writer, const ItemTable& table);

/// Reads one file; nothing in it is believed before it is checked, and every doubt ends in one
/// sentence that names it.
class PartReader {
 public:
  PartReader(const std::filesystem::path& path, std::string_view kind)
      : PartReader(TensorFile::open(path, kind)) {}
  explicit PartReader(TensorFile file) : file_(std::move(file)) {}

  template <class... Args>
  void check(bool sound, fmt::format_string<Args...> reason, Args&&... args) const {
    if (sound) return;
    fail(Errc::BadFile, "Cannot read {}: {}.", file_.path().string(),
         fmt::format(reason, std::forward<Args>(args)...));
  }

  /// Aligned for its type.
  template <class T>
  Array<T> array(const std::string& name) const {
    auto values = file_.array<T>(name);
    check(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(T) == 0,
          "its tensor '{}' is not aligned", name);
    return values;
  }

  IdTable ids(const std::string& side) const;
  /// Empty if the file has none.
  ItemTable item_table(Index items) const;
  Csr matrix(const std::string& part, Index rows, Index cols) const;
  /// A metadata entry that must be JSON.
  const std::string& json(const std::string& key) const;
  const TensorFile& file() const { return file_; }

 private:
  TensorFile file_;
};

}  // namespace sqmax
