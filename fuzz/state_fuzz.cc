// A fit of any loss and solver that goes on from a state of any bytes, resealed, or from a sound
// one with a part made of the input: it refuses in a sentence, or ends with numbers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/core/tensor_file.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/curve.h"
#include "sqmax/train/fit.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "fuzz/odd_numbers.h"
#include "tests/support/forged_file.h"
#include "tests/support/numbered.h"
#include "tests/support/tiny_data.h"
#include "train/state_file.h"

namespace {

using sqmax::at;
using sqmax::ByteSource;
using sqmax::FitOptions;
using sqmax::Index;
using sqmax::require;
using sqmax::TensorFile;

constexpr Index kUsers = 9;
constexpr Index kItems = 8;

// Each user's last item validates.
const sqmax::Dataset& data() {
  static const sqmax::Dataset made = [] {
    const sqmax::TinyData tiny(kUsers, kItems, 0.5, 2);
    std::vector<std::vector<Index>> train, valid;
    for (Index x = 0; x < kUsers; ++x) {
      const auto row = tiny.by_user.view().row(x);
      train.emplace_back(row.begin(), row.end());
      valid.emplace_back();
      if (row.size() < 2) continue;
      train.back().pop_back();
      valid.back().push_back(row.back());
    }
    return sqmax::Dataset{.users = sqmax::numbered(kUsers),
                          .items = sqmax::numbered(kItems),
                          .train = sqmax::csr_of(kItems, train),
                          .valid = sqmax::csr_of(kItems, valid),
                          .test = sqmax::empty_csr(kUsers, kItems),
                          .history = sqmax::empty_csr(kUsers, kItems)};
  }();
  return made;
}

/// A loss, a solver, what a fit by them keeps after two of its steps, and where all four end.
struct Case {
  FitOptions options;
  std::string state;
  sqmax::FitResult whole;
};

const std::filesystem::path& state_path() {
  static const sqmax::MemoryFolder folder("sqmax_state_fuzz");
  static const std::filesystem::path path = folder.path() / "fit-1.safetensors";
  return path;
}

sqmax::FitResult go_on(FitOptions options) {
  sqmax::CurveRecorder recorder;
  const auto keeper = sqmax::file_keeper(state_path(), {.seconds = 0.0}, 1, &recorder);
  options.solve.keeper = keeper.get();
  return sqmax::Fitter(data()).fit(options, recorder.listener());
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const sqmax::LossSpec& loss : sqmax::losses()) {
    for (const sqmax::SolverSpec& solver : sqmax::solvers()) {
      FitOptions options{.loss = loss.name, .solver = solver.name};
      options.options = sqmax::completed("it", loss.options, {});
      options.solve = {.rank = 3, .iterations = 2, .tolerance = 0.0};
      options.early_stop = {.metric = sqmax::parse_metrics("ndcg@3").front(), .patience = 3};
      if (!loss.has_factors || !sqmax::Fitter(data()).can_fit(options)) continue;
      std::filesystem::remove(state_path());
      go_on(options);
      if (!std::filesystem::exists(state_path())) continue;  // a decomposition keeps nothing
      std::string state = sqmax::bytes_of(state_path());
      options.solve.iterations = 4;
      std::filesystem::remove(state_path());
      all.push_back({options, std::move(state), go_on(options)});
    }
  }
  return all;
}

void write_all(std::string_view bytes) { std::ofstream(state_path(), std::ios::binary) << bytes; }

void check_fit(const FitOptions& options) {
  sqmax::try_it([&] {
    const sqmax::FitResult fit = go_on(options);
    for (const float value : fit.model.P.values) require(std::isfinite(value));
    for (const float value : fit.model.Q.values) require(std::isfinite(value));
    require(fit.model.P.values.size() == at(kUsers) * at(fit.model.P.rank));
    require(fit.model.Q.values.size() == at(kItems) * at(fit.model.Q.rank));
  });
}

// As if nothing had happened: the same bytes.
void check_sound_state(const Case& each) {
  write_all(each.state);
  const sqmax::FitResult fit = go_on(each.options);
  require(std::ranges::equal(fit.model.P.values, each.whole.model.P.values));
  require(std::ranges::equal(fit.model.Q.values, each.whole.model.Q.values));
  require(fit.steps == each.whole.steps && fit.reason == each.whole.reason);
}

// Counts and numbers by their bits, or any word.
std::int64_t odd_word(ByteSource& bytes) {
  if (bytes.up_to(3) > 0) return std::bit_cast<std::int64_t>(sqmax::odd_count(bytes));
  const auto shift = static_cast<unsigned>(bytes.up_to(63));
  return static_cast<std::int64_t>(std::uint64_t{bytes.next()} << shift);
}

// A few of the values are odd, or there is another number of them.
template <class T, class Odd>
std::vector<T> damaged(const sqmax::Array<T>& array, ByteSource& bytes, const Odd& odd) {
  std::vector<T> values(array.begin(), array.end());
  if (bytes.up_to(7) == 1) values.resize(bytes.next());
  for (int count = bytes.up_to(3); count >= 0 && !values.empty(); --count) {
    values[bytes.next() % values.size()] = static_cast<T>(odd(bytes));
  }
  return values;
}

// One tensor is damaged, and so is what the state says of itself if there is input left.
void write_damaged(const TensorFile& sound, ByteSource& bytes) {
  const auto& tensors = sound.tensors();
  const auto lie = std::next(tensors.begin(), bytes.next() % std::ssize(tensors));
  std::vector<float> floats;
  std::vector<std::int64_t> words;
  sqmax::TensorFileWriter writer("state");
  for (const auto& [name, info] : tensors) {
    const bool is_lie = name == lie->first;
    if (info.dtype == sqmax::Dtype::F32) {
      const auto array = sound.array<float>(name);
      if (is_lie) floats = damaged(array, bytes, sqmax::odd_number);
      const auto values = is_lie ? std::span<const float>(floats) : array.span();
      writer.add<float>(name, {std::ssize(values)}, values);
    } else {
      const auto array = sound.array<std::int64_t>(name);
      if (is_lie) words = damaged(array, bytes, odd_word);
      const auto values = is_lie ? std::span<const std::int64_t>(words) : array.span();
      writer.add<std::int64_t>(name, {std::ssize(values)}, values);
    }
  }
  std::string about;
  while (!bytes.empty()) about += static_cast<char>(bytes.next() & 0x7F);
  writer.set("about", about.empty() ? sound.metadata("about") : about);
  writer.write(state_path());
}

}  // namespace

// The first byte chooses the case, the second whether bytes are sealed as the whole state or damage
// a sound one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static const std::vector<Case> all = cases();
  ByteSource source({bytes, size});
  const Case& each = all[source.next() % all.size()];
  const int how = source.next();
  if (how % 4 == 1) {
    check_sound_state(each);
    return 0;
  }
  if (how % 4 == 0) {
    const std::string_view rest(reinterpret_cast<const char*>(bytes), size);
    write_all(sqmax::resealed(rest.substr(std::min<std::size_t>(size, 2)), how == 4 ? 1 : 8));
  } else {
    write_all(each.state);
    write_damaged(TensorFile::read(state_path(), "state"), source);
  }
  check_fit(each.options);
  return 0;
}
