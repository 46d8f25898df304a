// Hostile files: sound in form and checksum, wrong in what they say.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "sqmax/core/index.h"
#include "sqmax/core/tensor_file.h"
#include "sqmax/data/id_table.h"

namespace sqmax {

/// One thing in the file of a Noun that is not as it should be, and a word of the sentence about
/// it.
template <class Noun>
struct Lie {
  std::string about;
  std::function<void(Noun&)> tell;
};

inline IdTable table_of(std::initializer_list<std::string_view> ids) {
  IdMap map;
  for (const auto id : ids) map.insert(id);
  return map.table();
}

/// Every tensor of a file into another one, whose entries may then say something else.
inline void copy_tensors(const TensorFile& file, TensorFileWriter& writer) {
  for (const auto& [name, info] : file.tensors()) {
    switch (info.dtype) {
      case Dtype::F32:
        writer.add<float>(name, info.shape, file.array<float>(name).span());
        break;
      case Dtype::I32:
        writer.add<Index>(name, info.shape, file.array<Index>(name).span());
        break;
      case Dtype::I64:
        writer.add<Offset>(name, info.shape, file.array<Offset>(name).span());
        break;
      case Dtype::U8:
        writer.add<std::uint8_t>(name, info.shape, file.array<std::uint8_t>(name).span());
        break;
    }
  }
}

}  // namespace sqmax
