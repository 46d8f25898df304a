// Datasets: from files, tables and matrices; filters and splits.
#include <string>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sqmax/data/dataset.h"
#include "sqmax/data/prepare.h"
#include "sqmax/data/read.h"

#include "arrays.h"
#include "fail.h"
#include "ids.h"
#include "listener.h"
#include "module.h"
#include "work.h"

namespace sqmax::python {
namespace {

using Ids = std::optional<std::vector<std::string>>;
using Minima = std::pair<Index, Index>;  // of a user, of an item

// Without names, an id is its position.
IdTable id_table(const Ids& ids, Index count) {
  IdMap map;
  for (Index r = 0; r < count; ++r) map.insert(ids ? (*ids)[at(r)] : std::to_string(r));
  return map.take_table();
}

void check_ids(const Ids& ids, Index count, const char* side) {
  if (ids && std::ssize(*ids) != count) {
    fail(Errc::BadInput, "There are {} ids of {} for {} positions.", ids->size(), side, count);
  }
}

Dataset dataset_of(const Csr& train, const std::optional<Csr>& valid,
                   const std::optional<Csr>& test, const Ids& users, const Ids& items) {
  check_ids(users, train.rows, "users");
  check_ids(items, train.cols, "items");
  Dataset dataset{.users = id_table(users, train.rows),
                  .items = id_table(items, train.cols),
                  .train = train,
                  .valid = valid.value_or(empty_csr(train.rows, train.cols)),
                  .test = test.value_or(empty_csr(train.rows, train.cols)),
                  .history = empty_csr(train.rows, train.cols)};
  for (const Csr* part : {&dataset.valid, &dataset.test}) {
    if (part->rows == train.rows && part->cols == train.cols) continue;
    fail(Errc::BadInput, "The parts differ in shape: {} × {} and {} × {}.", train.rows, train.cols,
         part->rows, part->cols);
  }
  return dataset;
}

SplitOptions split_options(const std::string& kind, const std::array<double, 3>& ratios,
                           std::uint64_t seed) {
  const SplitOptions options{
      .kind = parse_split(kind), .ratios = {ratios[0], ratios[1], ratios[2]}, .seed = seed};
  check_split(options);
  return options;
}

nb::list told(const std::vector<Finding>& findings) {
  nb::list all;
  for (const Finding& finding : findings) {
    all.append(nb::make_tuple(finding.kind.c_str(), finding.sentence.c_str()));
  }
  return all;
}

nb::tuple prepare_columns(const Given<Index>& users, const Given<Index>& items,
                          const std::optional<Given<std::int64_t>>& times, const Ids& user_ids,
                          const Ids& item_ids, std::pair<Index, Index> sizes, Minima minima,
                          const std::string& kind, std::array<double, 3> ratios,
                          std::uint64_t seed) {
  const auto copied = [](const auto& given) {
    return std::vector(given.data(), given.data() + given.size());
  };
  check_ids(user_ids, sizes.first, "users");
  check_ids(item_ids, sizes.second, "items");
  Interactions raw{.users = copied(users),
                   .items = copied(items),
                   .user_ids = id_table(user_ids, sizes.first),
                   .item_ids = id_table(item_ids, sizes.second)};
  if (times) raw.times = copied(*times);
  const PrepareOptions options{.filter = {.min_user = minima.first, .min_item = minima.second},
                               .split = split_options(kind, ratios, seed)};
  std::vector<Finding> findings;
  Dataset made = work(0, [&] { return make_dataset(std::move(raw), options, findings); });
  return nb::make_tuple(std::move(made), told(findings));
}

nb::tuple read_dataset(const std::vector<std::string>& paths, const ReadOptions& read,
                       Minima minima, const std::string& kind, std::array<double, 3> ratios,
                       std::uint64_t seed, const nb::object& heard) {
  PrepareOptions options{.filter = {.min_user = minima.first, .min_item = minima.second},
                         .split = split_options(kind.empty() ? "ratio" : kind, ratios, seed)};
  std::vector<Finding> findings;
  Dataset made = work(0, [&] {
    ReadResult result = read_interactions(paths, read, progress_listener(heard));
    findings = result.report.findings;
    const bool is_split = !result.interactions.parts.empty();
    if (kind.empty() && is_split) options.split.kind = SplitKind::Given;
    return make_dataset(std::move(result.interactions), options, findings);
  });
  return nb::make_tuple(std::move(made), told(findings));
}

Pairs pairs_of(const Csr& csr) {
  return {.users = csr.rows, .items = csr.cols, .offsets = csr.offsets, .indices = csr.indices};
}

nb::tuple split_matrix(const Csr& csr, const std::string& kind, std::array<double, 3> ratios,
                       std::uint64_t seed) {
  const SplitOptions options = split_options(kind, ratios, seed);
  Split split = work(0, [&] { return split_pairs(pairs_of(csr), options); });
  return nb::make_tuple(std::move(split.train), std::move(split.valid), std::move(split.test),
                        std::move(split.history));
}

nb::tuple filter_matrix(const Csr& csr, Minima minima) {
  Pairs pairs = pairs_of(csr);
  const FilterOptions options{.min_user = minima.first, .min_item = minima.second};
  Kept kept = work(0, [&] { return filter_pairs(pairs, options); });
  return nb::make_tuple(Csr{pairs.users, pairs.items, pairs.offsets, pairs.indices},
                        moved(std::move(kept.users)), moved(std::move(kept.items)));
}

void bind_read_options(nb::module_& m) {
  nb::class_<ReadOptions>(m, "ReadOptions", "How raw files are read.")
      .def(nb::init<>())
      .def_rw("format", &ReadOptions::format)
      .def_rw("user", &ReadOptions::user)
      .def_rw("item", &ReadOptions::item)
      .def_rw("rating", &ReadOptions::rating)
      .def_rw("time", &ReadOptions::time)
      .def_rw("split", &ReadOptions::split)
      .def_rw("delimiter", &ReadOptions::delimiter)
      .def_rw("header", &ReadOptions::header)
      .def_rw("min_rating", &ReadOptions::min_rating)
      .def_rw("skip_bad_lines", &ReadOptions::skip_bad_lines);
}

}  // namespace

nb::list texts_of(const IdTable& ids) {
  nb::list all;
  for (Index r = 0; r < ids.size(); ++r) all.append(nb::str(ids[r].data(), ids[r].size()));
  return all;
}

void bind_data(nb::module_& m) {
  bind_read_options(m);
  nb::class_<Dataset>(m, "Dataset", "Interactions in parts, with the raw ids.")
      .def(nb::new_(&dataset_of), nb::arg("train"), nb::arg("valid") = nb::none(),
           nb::arg("test") = nb::none(), nb::arg("users") = nb::none(),
           nb::arg("items") = nb::none())
      .def_static("load", [](const std::string& path) { return load_dataset(path); })
      .def("save", [](const Dataset& data, const std::string& path) { save_dataset(data, path); })
      .def_ro("train", &Dataset::train)
      .def_ro("valid", &Dataset::valid)
      .def_ro("test", &Dataset::test)
      .def_ro("history", &Dataset::history)
      .def_ro("recipe", &Dataset::recipe)
      .def_ro("doctor", &Dataset::doctor)
      .def_prop_ro("fingerprint", [](const Dataset& data) { return fingerprint(data); })
      .def_prop_ro("users", [](const Dataset& data) { return texts_of(data.users); })
      .def_prop_ro("items", [](const Dataset& data) { return texts_of(data.items); });
  m.def("prepare", &prepare_columns, nb::arg("users"), nb::arg("items"), nb::arg("times").none(),
        nb::arg("user_ids").none(), nb::arg("item_ids").none(), nb::arg("sizes"), nb::arg("minima"),
        nb::arg("kind"), nb::arg("ratios"), nb::arg("seed"));
  m.def("read", &read_dataset, nb::arg("paths"), nb::arg("options"), nb::arg("minima"),
        nb::arg("kind"), nb::arg("ratios"), nb::arg("seed"), nb::arg("heard").none());
  m.def("split", &split_matrix, nb::arg("matrix"), nb::arg("kind"), nb::arg("ratios"),
        nb::arg("seed"));
  m.def("filter", &filter_matrix, nb::arg("matrix"), nb::arg("minima"));
}

}  // namespace sqmax::python
