// load_dataset on hostile files: an Error, or a dataset whose every row can be walked.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "sqmax/core/error.h"
#include "sqmax/core/tensor_file.h"
#include "sqmax/data/dataset.h"

namespace {

using sqmax::Index;
using sqmax::Offset;

/// A file in memory that has a path.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("dataset", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("memfd_create failed");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void write(const std::uint8_t* data, std::size_t size) const {
    if (::write(descriptor_, data, size) != static_cast<ssize_t>(size)) {
      throw std::runtime_error("write failed");
    }
  }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Takes small numbers off the input; zeros once it is used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  std::uint8_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  template <class T>
  std::vector<T> numbers() {
    std::vector<T> values(next() % 16);
    for (T& value : values) value = static_cast<T>(static_cast<std::int8_t>(next()));
    return values;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

sqmax::IdTable ids_of(Bytes& bytes) {
  return {bytes.numbers<Offset>(), bytes.numbers<std::uint8_t>()};
}

sqmax::Csr part_of(Bytes& bytes, Index rows, Index cols) {
  return {rows, cols, bytes.numbers<Offset>(), bytes.numbers<Index>()};
}

// With a right checksum and fingerprint, so that the structure itself is put to the test.
sqmax::Dataset dataset_of(Bytes& bytes) {
  sqmax::Dataset dataset;
  dataset.users = ids_of(bytes);
  dataset.items = ids_of(bytes);
  const Index rows = dataset.users.size();
  const Index cols = dataset.items.size();
  dataset.train = part_of(bytes, rows, cols);
  dataset.valid = part_of(bytes, rows, cols);
  dataset.test = part_of(bytes, rows, cols);
  dataset.history = part_of(bytes, rows, cols);
  return dataset;
}

void require(bool sound) {
  if (!sound) __builtin_trap();
}

std::size_t walk_ids(const sqmax::IdTable& ids) {
  std::size_t sum = 0;
  for (Index i = 0; i < ids.size(); ++i) {
    for (const char letter : ids[i]) sum += static_cast<unsigned char>(letter);
  }
  return sum;
}

void walk(const sqmax::Dataset& dataset) {
  require(dataset.users.size() == dataset.user_count());
  require(dataset.items.size() == dataset.item_count());
  volatile std::size_t sum = walk_ids(dataset.users) + walk_ids(dataset.items);
  static_cast<void>(sum);
  for (const auto* part : {&dataset.train, &dataset.valid, &dataset.test, &dataset.history}) {
    for (Index u = 0; u < dataset.user_count(); ++u) {
      Index before = -1;
      for (const Index item : part->view().row(u)) {
        require(item > before && item < dataset.item_count());
        before = item;
      }
    }
  }
}

void load_and_walk(const std::filesystem::path& path) try {
  walk(sqmax::load_dataset(path));
} catch (const sqmax::Error&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile raw;
  raw.write(data, size);
  load_and_walk(raw.path());

  static const std::string kPath =
      (std::filesystem::temp_directory_path() / ("dataset_fuzz." + std::to_string(::getpid())))
          .string();
  Bytes bytes(data, size);
  sqmax::save_dataset(dataset_of(bytes), kPath);
  load_and_walk(kPath);
  std::filesystem::remove(kPath);
  return 0;
}
