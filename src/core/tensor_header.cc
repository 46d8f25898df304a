// Parsing and printing of .safetensors headers.
#include "core/tensor_header.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "core/fail.h"

namespace sqmax {
namespace {

using Json = nlohmann::ordered_json;
using Parsed = nlohmann::json;  // finds names by a tree: many of them take no longer than they must

constexpr int kDeepest = 3;  // tensors, a tensor, its shape

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<DtypeRow, 4> kDtypes = {
    {{Dtype::F32, "F32", 4}, {Dtype::I32, "I32", 4}, {Dtype::I64, "I64", 8}, {Dtype::U8, "U8", 1}}};

const DtypeRow& row_of(Dtype dtype) {
  for (const DtypeRow& row : kDtypes) {
    if (row.dtype == dtype) return row;
  }
  throw std::logic_error("every Dtype has a row");
}

Dtype parse_dtype(const std::string& name) {
  for (const DtypeRow& row : kDtypes) {
    if (row.name == name) return row.dtype;
  }
  fail(Errc::BadFile, "it has a tensor of the type {}, which sqmax does not use", name);
}

std::size_t bytes_of(Dtype dtype, const Shape& shape) {
  std::size_t bytes = dtype_size(dtype);
  for (const std::int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(bytes, at(extent), &bytes)) {
      fail(Errc::BadFile, "it has a tensor of an impossible shape");
    }
  }
  return bytes;
}

// A fraction, a negative or a huge number would become anything in a conversion.
std::size_t size_of(const Parsed& number) {
  const bool is_size =
      number.is_number_unsigned() &&
      number.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (!is_size) fail(Errc::BadFile, "it has a tensor of an impossible shape");
  return number.get<std::size_t>();
}

TensorInfo parse_tensor(const Parsed& entry, std::size_t data_size) {
  TensorInfo info;
  info.dtype = parse_dtype(entry.at("dtype").get<std::string>());
  for (const Parsed& extent : entry.at("shape")) {
    info.shape.push_back(static_cast<std::int64_t>(size_of(extent)));
  }
  const auto& offsets = entry.at("data_offsets");
  info.begin = size_of(offsets.at(0));
  info.end = size_of(offsets.at(1));
  if (info.begin > info.end || info.end > data_size) {
    fail(Errc::BadFile, "it ends before its data does; it may be truncated");
  }
  if (info.end - info.begin != bytes_of(info.dtype, info.shape) ||
      info.begin % dtype_size(info.dtype) != 0) {
    fail(Errc::BadFile, "the size of a tensor does not match its shape");
  }
  return info;
}

// Bytes that are two tensors at once would be checked as one of them and used as the other.
void check_overlap(const std::map<std::string, TensorInfo>& tensors) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const auto& [name, info] : tensors) {
    if (info.begin < info.end) places.emplace_back(info.begin, info.end);
  }
  std::ranges::sort(places);
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].first < places[i - 1].second) fail(Errc::BadFile, "two of its tensors overlap");
  }
}

Parsed parse_json(std::string_view text) {
  const auto check_depth = [](int depth, Parsed::parse_event_t event, const Parsed&) {
    const bool begins =
        event == Parsed::parse_event_t::object_start || event == Parsed::parse_event_t::array_start;
    if (begins && depth >= kDeepest) fail(Errc::BadFile, "its header goes too deep");
    return true;
  };
  return Parsed::parse(text, check_depth);
}

}  // namespace

std::size_t dtype_size(Dtype dtype) { return row_of(dtype).size; }
std::string_view dtype_name(Dtype dtype) { return row_of(dtype).name; }

TensorHeader parse_tensor_header(std::string_view json, std::size_t data_size) try {
  TensorHeader header;
  const Parsed parsed = parse_json(json);
  if (!parsed.is_object()) fail(Errc::BadFile, "its header is not that of a .safetensors file");
  for (const auto& [name, entry] : parsed.items()) {
    if (name == "__metadata__") {
      header.metadata = entry.get<std::map<std::string, std::string>>();
    } else {
      header.tensors[name] = parse_tensor(entry, data_size);
    }
  }
  check_overlap(header.tensors);
  return header;
} catch (const Parsed::exception&) {
  fail(Errc::BadFile, "its header is not that of a .safetensors file");
}

std::string write_tensor_header(const TensorHeader& header) {
  Json json;
  json["__metadata__"] = header.metadata;
  for (const auto& [name, info] : header.tensors) {
    json[name] = {{"dtype", dtype_name(info.dtype)},
                  {"shape", info.shape},
                  {"data_offsets", {info.begin, info.end}}};
  }
  std::string text = json.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

Checksum::Checksum() : state_(XXH3_createState()) {
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}
Checksum::~Checksum() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }
void Checksum::add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}
std::string Checksum::digest() const {
  return fmt::format("{:016x}", XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_)));
}

}  // namespace sqmax
