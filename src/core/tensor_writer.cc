// Writing of tensor files: lay out, checksum, write atomically.
#include <algorithm>

#include "sqmax/core/atomic_file.h"
#include "sqmax/core/tensor_file.h"

#include "core/fail.h"
#include "core/tensor_header.h"

namespace sqmax {

TensorFileWriter::TensorFileWriter(std::string_view kind) {
  set("kind", std::string(kind));
  set("format_version", std::to_string(kFormatVersion));
  set("sqmax_version", SQMAX_VERSION);
  set("checksum", std::string(kNoChecksum));
}

void TensorFileWriter::add_bytes(Entry entry) {
  // Wide types first: every tensor then begins at a multiple of its element size, without gaps.
  const auto narrower = [](const Entry& a, const Entry& b) {
    return dtype_size(a.dtype) > dtype_size(b.dtype);
  };
  entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry, narrower),
                  std::move(entry));
}

std::string TensorFileWriter::header() const {
  TensorHeader header{.metadata = metadata_, .tensors = {}};
  std::size_t begin = 0;
  for (const Entry& entry : entries_) {
    const std::size_t end = begin + entry.bytes.size();
    header.tensors[entry.name] = {entry.dtype, entry.shape, begin, end};
    begin = end;
  }
  std::string text = write_tensor_header(header);
  if (text.size() > kLongestHeader) {
    fail(Errc::Io, "What the file would say of itself takes {} bytes, and {} can be read again.",
         text.size(), kLongestHeader);
  }
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(text)));
  for (const Entry& entry : entries_) checksum.add(entry.bytes);
  text.replace(text.find("\"checksum\":\"") + 12, kNoChecksum.size(), checksum.digest());
  return text;
}

void TensorFileWriter::write(const std::filesystem::path& path) const {
  AtomicFile file(path);
  const std::string text = header();
  const std::uint64_t length = text.size();
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(text);
  for (const Entry& entry : entries_) file.write(entry.bytes);
  file.commit();
}

}  // namespace sqmax
