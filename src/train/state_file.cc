// State files: tensors of kind "state"; numbers are kept by their bits, so that none is rounded.
#include "train/state_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>

#include "sqmax/core/tensor_file.h"

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr const char* kKind = "state";

Shape shape_of(std::size_t size) { return {static_cast<std::int64_t>(size)}; }

/// Large arrays stay where they are until the file is written.
class StateWriter final : public StateVisitor {
 public:
  explicit StateWriter(TensorFileWriter& file) : file_(file) {}

  void visit(const std::string& name, std::span<float> values) override {
    file_.add<float>(name, shape_of(values.size()), values);
  }
  void visit(const std::string& name, std::span<std::int64_t> values) override {
    file_.add<std::int64_t>(name, shape_of(values.size()), values);
  }
  void visit(const std::string& name, std::span<double> values) override {
    auto& bits = bits_.emplace_back();
    for (const double value : values) bits.push_back(std::bit_cast<std::int64_t>(value));
    visit(name, std::span(bits));
  }
  void visit_list(const std::string& name, std::vector<float>& values) override {
    visit(name, std::span(values));
  }
  void visit_list(const std::string& name, std::vector<double>& values) override {
    visit(name, std::span(values));
  }

 private:
  TensorFileWriter& file_;
  std::deque<std::vector<std::int64_t>> bits_;
};

class StateReader final : public StateVisitor {
 public:
  explicit StateReader(const TensorFile& file) : file_(file) {}

  void visit(const std::string& name, std::span<float> values) override {
    const Array<float> stored = kept<float>(name, values.size());
    if (!std::ranges::all_of(stored, [](float value) { return std::isfinite(value); })) {
      fail(Errc::BadFile, "{}: its '{}' has a value that is not finite.", file_.path().string(),
           name);
    }
    std::ranges::copy(stored, values.begin());
  }
  void visit(const std::string& name, std::span<std::int64_t> values) override {
    std::ranges::copy(kept<std::int64_t>(name, values.size()), values.begin());
  }
  void visit(const std::string& name, std::span<double> values) override {
    std::ranges::transform(kept<std::int64_t>(name, values.size()), values.begin(),
                           std::bit_cast<double, std::int64_t>);
  }
  void visit_list(const std::string& name, std::vector<float>& values) override {
    values.resize(file_.array<float>(name).size());
    visit(name, std::span(values));
  }
  void visit_list(const std::string& name, std::vector<double>& values) override {
    values.resize(file_.array<std::int64_t>(name).size());
    visit(name, std::span(values));
  }

 private:
  template <class T>
  Array<T> kept(const std::string& name, std::size_t size) const {
    Array<T> values = file_.array<T>(name);
    if (values.size() != size) {
      fail(Errc::BadFile, "{} is the state of another fit: its '{}' has {} values, not {}.",
           file_.path().string(), name, values.size(), size);
    }
    return values;
  }

  const TensorFile& file_;
};

}  // namespace

void write_state(const std::filesystem::path& path, const std::string& about,
                 const ShowState& show) {
  TensorFileWriter file(kKind);
  file.set("about", about);
  StateWriter writer(file);
  show(writer);
  file.write(path);
}

std::string read_state(const std::filesystem::path& path, const ShowState& show) {
  const TensorFile file = TensorFile::open(path, kKind);
  StateReader reader(file);
  show(reader);
  return file.metadata("about");
}

}  // namespace sqmax
