// Any bytes as a tensor file: a sentence, or tensors that can be read to their last byte.
#include <numeric>

#include "sqmax/core/error.h"
#include "sqmax/core/tensor_file.h"

#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "tests/support/forged_file.h"

namespace {

// A volatile result: the reads must happen for AddressSanitizer to see them.
template <class T>
void touch(const sqmax::TensorFile& file, const std::string& name) {
  const auto array = file.array<T>(name);
  volatile double sum = 0.0;
  for (const T value : array) sum = sum + static_cast<double>(value);
}

void touch_all(const sqmax::TensorFile& file) {
  for (const auto& [name, info] : file.tensors()) {
    switch (info.dtype) {
      case sqmax::Dtype::F32:
        touch<float>(file, name);
        break;
      case sqmax::Dtype::I32:
        touch<std::int32_t>(file, name);
        break;
      case sqmax::Dtype::I64:
        touch<std::int64_t>(file, name);
        break;
      case sqmax::Dtype::U8:
        touch<std::uint8_t>(file, name);
        break;
    }
  }
}

void open_and_touch(std::string_view bytes) {
  const sqmax::MemoryFile memory(bytes);
  try {
    touch_all(sqmax::TensorFile::open(memory.path(), ""));
  } catch (const sqmax::Error&) {
    return;  // a sentence is a fine answer; any other exception is a bug
  }
}

}  // namespace

// As they are, and with the length and checksum that raw bytes hardly ever have.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view raw(reinterpret_cast<const char*>(bytes), size);
  open_and_touch(raw);
  open_and_touch(sqmax::resealed(raw));
  return 0;
}
