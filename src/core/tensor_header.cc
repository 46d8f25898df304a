// Parsing and printing of .safetensors headers.
#include "core/tensor_header.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <array>

#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "core/fail.h"

namespace sqmax {
namespace {

using Json = nlohmann::ordered_json;

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

TensorInfo parse_tensor(const Json& entry, std::size_t data_size) {
  TensorInfo info;
  info.dtype = parse_dtype(entry.at("dtype").get<std::string>());
  info.shape = entry.at("shape").get<Shape>();
  const auto& offsets = entry.at("data_offsets");
  info.begin = offsets.at(0).get<std::size_t>();
  info.end = offsets.at(1).get<std::size_t>();
  if (info.begin > info.end || info.end > data_size) {
    fail(Errc::BadFile, "it ends before its data does; it may be truncated");
  }
  if (info.end - info.begin != bytes_of(info.dtype, info.shape) ||
      info.begin % dtype_size(info.dtype) != 0) {
    fail(Errc::BadFile, "the size of a tensor does not match its shape");
  }
  return info;
}

}  // namespace

std::size_t dtype_size(Dtype dtype) { return row_of(dtype).size; }
std::string_view dtype_name(Dtype dtype) { return row_of(dtype).name; }

TensorHeader parse_tensor_header(std::string_view json, std::size_t data_size) try {
  TensorHeader header;
  const Json parsed = Json::parse(json);
  for (const auto& [name, entry] : parsed.items()) {
    if (name == "__metadata__") {
      header.metadata = entry.get<std::map<std::string, std::string>>();
    } else {
      header.tensors[name] = parse_tensor(entry, data_size);
    }
  }
  return header;
} catch (const Json::exception&) {
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
