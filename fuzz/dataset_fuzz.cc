// Any bytes as a dataset, resealed or as its arrays: a sentence, or a dataset that can be walked.
#include "sqmax/core/error.h"
#include "sqmax/data/dataset.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "tests/support/forged_file.h"

namespace {

using sqmax::Index;
using sqmax::Offset;
using sqmax::require;

constexpr std::size_t kLongest = 16;

sqmax::IdTable ids_of(sqmax::ByteSource& bytes) {
  sqmax::IdTable ids;
  ids.offsets = bytes.list<Offset>(kLongest);
  ids.text = bytes.list<std::uint8_t>(kLongest);
  return ids;
}

sqmax::Dataset dataset_of(sqmax::ByteSource bytes) {
  sqmax::Dataset dataset;
  dataset.users = ids_of(bytes);
  dataset.items = ids_of(bytes);
  for (auto* part : {&dataset.train, &dataset.valid, &dataset.test, &dataset.history}) {
    part->rows = dataset.users.size();
    part->cols = dataset.items.size();
    part->offsets = bytes.list<Offset>(kLongest);
    part->indices = bytes.list<Index>(kLongest);
  }
  return dataset;
}

// A volatile result: the reads must happen for AddressSanitizer to see them.
void walk(const sqmax::IdTable& ids) {
  volatile int sum = 0;
  for (Index i = 0; i < ids.size(); ++i) {
    for (const char letter : ids[i]) sum = sum ^ letter;
  }
}

void walk(const sqmax::Csr& part) {
  for (Index u = 0; u < part.rows; ++u) {
    Index before = -1;
    for (const Index item : part.view().row(u)) {
      require(item > before && item < part.cols);
      before = item;
    }
  }
}

void load_and_walk(const std::filesystem::path& path) {
  try {
    const sqmax::Dataset dataset = sqmax::load_dataset(path);
    require(dataset.users.size() == dataset.user_count());
    require(dataset.items.size() == dataset.item_count());
    walk(dataset.users);
    walk(dataset.items);
    for (const auto* part : {&dataset.train, &dataset.valid, &dataset.test, &dataset.history}) {
      require(part->rows == dataset.user_count() && part->cols == dataset.item_count());
      walk(*part);
    }
  } catch (const sqmax::Error&) {
    return;  // a sentence is a fine answer; any other exception is a bug
  }
}

}  // namespace

// Raw bytes hardly ever have a right checksum, so it is made right; and so it is of saved arrays.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string sealed = sqmax::resealed({reinterpret_cast<const char*>(bytes), size});
  load_and_walk(sqmax::MemoryFile(sealed).path());

  const auto path = sqmax::memory_path("sqmax_dataset_fuzz");
  sqmax::save_dataset(dataset_of(sqmax::ByteSource({bytes, size})), path);
  load_and_walk(path);
  std::filesystem::remove(path);
  return 0;
}
