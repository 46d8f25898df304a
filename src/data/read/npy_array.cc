// NpyArray: the header of a .npy file, and its elements as 64-bit numbers.
#include "data/read/npy_array.h"

#include <algorithm>
#include <cstring>

#include "core/fail.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr std::size_t kPreamble = 8;  // magic and version
constexpr std::size_t kLargestHeader = std::size_t{1} << 16;

/// What follows 'key': in a Python dict, up to the delimiter.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t found = header.find(key);
  if (found == std::string_view::npos) return {};
  const std::size_t colon = header.find(':', found);
  if (colon == std::string_view::npos) return {};
  std::string_view value = trimmed(header.substr(colon + 1));
  if (value.starts_with('\'')) return value.substr(1, value.find('\'', 1) - 1);
  if (value.starts_with('(')) return value.substr(1, value.find(')') - 1);
  return value.substr(0, value.find_first_of(",}"));
}

template <class From, class To>
void convert(const std::vector<char>& bytes, std::vector<To>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    From value = {};
    std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
    values[i] = static_cast<To>(value);  // NOLINT(bugprone-signed-char-misuse): int8 is a number
  }
}

/// False: the type is not known.
template <class To>
bool convert_type(std::string_view type, const std::vector<char>& bytes, std::vector<To>& values) {
  if (type == "b1" || type == "u1") return convert<std::uint8_t>(bytes, values), true;
  if (type == "i1") return convert<std::int8_t>(bytes, values), true;
  if (type == "i2") return convert<std::int16_t>(bytes, values), true;
  if (type == "u2") return convert<std::uint16_t>(bytes, values), true;
  if (type == "i4") return convert<std::int32_t>(bytes, values), true;
  if (type == "u4") return convert<std::uint32_t>(bytes, values), true;
  if (type == "i8") return convert<std::int64_t>(bytes, values), true;
  if (type == "u8") return convert<std::uint64_t>(bytes, values), true;
  return false;
}

}  // namespace

NpyArray::NpyArray(const ZipArchive& archive, const std::string& name)
    : name_(name), stream_(archive, name + ".npy") {
  parse_header();
}

void NpyArray::fail_for(const char* reason) const {
  fail(Errc::BadInput, "Cannot read {}: {} in its array '{}'.", stream_.file(), reason, name_);
}

void NpyArray::parse_header() {
  std::vector<char> preamble(kPreamble);
  stream_.read(preamble);
  if (std::memcmp(preamble.data(), "\x93NUMPY", 6) != 0) fail_for("there is no NumPy header");
  std::vector<char> size_bytes(preamble[6] == 1 ? 2 : 4);
  stream_.read(size_bytes);
  std::uint32_t size = 0;
  std::memcpy(&size, size_bytes.data(), size_bytes.size());
  if (size > kLargestHeader) fail_for("the header is damaged");
  std::string header(size, '\0');
  stream_.read(header);

  type_ = value_of(header, "'descr'");
  std::string_view shape = trimmed(value_of(header, "'shape'"));
  if (shape.ends_with(',')) shape.remove_suffix(1);
  const auto count = shape.empty() ? std::optional<std::int64_t>(1) : parse_count(trimmed(shape));
  const auto bytes =
      type_.size() > 2 ? parse_count(std::string_view(type_).substr(2)) : std::nullopt;
  if (!count || !bytes || *bytes == 0 || *bytes > 1024) fail_for("the type or shape is unknown");
  if (type_[0] == '>') fail_for("numbers have their high byte first");
  element_size_ = at(*bytes) * (type_[1] == 'U' ? 4 : 1);
  left_ = *count;
  if (left_ > stream_.left() / static_cast<Offset>(element_size_)) fail_for("elements are missing");
  type_.erase(0, 1);
}

std::vector<char> NpyArray::elements(Offset count) {
  count = std::min(count, left_);
  std::vector<char> bytes(at(count) * element_size_);
  stream_.read(bytes);
  left_ -= count;
  return bytes;
}

template <class T>
std::vector<T> NpyArray::numbers(Offset count) {
  const std::vector<char> bytes = elements(count);
  std::vector<T> values(bytes.size() / element_size_);
  if (convert_type(type_, bytes, values)) return values;
  if constexpr (std::is_same_v<T, double>) {
    if (type_ == "f4") return convert<float>(bytes, values), values;
    if (type_ == "f8") return convert<double>(bytes, values), values;
  }
  fail_for("the type of numbers is unknown");
}

std::vector<std::int64_t> NpyArray::integers(Offset count) { return numbers<std::int64_t>(count); }
std::vector<double> NpyArray::reals(Offset count) { return numbers<double>(count); }

std::string NpyArray::letters() {
  if (type_[0] != 'S' && type_[0] != 'U') fail_for("there are no letters");
  std::string text;
  for (const char c : elements(1)) {
    if (c != '\0') text.push_back(c);
  }
  return text;
}

}  // namespace sqmax
