// Evaluate: metrics of full rankings, with intervals; and two models compared.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sqmax/rank/significance.h"
#include "sqmax/train/measure.h"

#include "arrays.h"
#include "fail.h"
#include "fitted.h"
#include "module.h"
#include "work.h"

namespace sqmax::python {
namespace {

Evaluation measure_matrix(const Fitted& fitted, const Csr& train, const Csr& held_out,
                          const std::string& metrics, int threads) {
  const Model& model = fitted.model();
  for (const Csr* part : {&train, &held_out}) {
    if (part->rows == model.user_count() && part->cols == model.item_count()) continue;
    fail(Errc::BadInput, "The model has {} users and {} items, the matrix {} and {}.",
         model.user_count(), model.item_count(), part->rows, part->cols);
  }
  const std::vector<Metric> parsed = parse_metrics(metrics);
  return work(threads, [&] {
    const std::vector<Index> popularity = column_degrees(train);
    return evaluate({.scorer = fitted.scorer(),
                     .user_vectors = model.P.view(),
                     .seen = {train},
                     .held_out = held_out,
                     .item_popularity = popularity,
                     .histories = {train}},
                    parsed);
  });
}

Evaluation measure_part(const Fitted& fitted, const Dataset& dataset, bool of_test,
                        const std::string& metrics, int threads) {
  const std::vector<Metric> parsed = parse_metrics(metrics);
  return work(threads, [&] {
    return measure(fitted.model(), dataset, of_test ? Part::Test : Part::Valid, parsed);
  });
}

Metric accuracy_of(const std::string& name) {
  const std::vector<Metric> parsed = parse_metrics(name);
  if (parsed.size() != 1 || parsed[0].spec.aim != MetricAim::Accuracy) {
    fail(Errc::BadOption, "One metric of accuracy is wanted, such as ndcg@10; '{}' is not.", name);
  }
  return parsed[0];
}

// A metric from the places of held-out items, from 1; row r has those of user r.
nb::ndarray<nb::numpy, double> metric_values(const std::string& name, const Given<Offset>& offsets,
                                             const Given<Index>& places,
                                             const Given<Index>& held_out) {
  const Metric metric = accuracy_of(name);
  std::vector<double> values;
  const std::vector<Ranked> top(at(metric.k));
  for (std::size_t r = 0; r < held_out.size(); ++r) {
    std::vector<std::uint8_t> hit(at(metric.k));
    for (Offset i = offsets.data()[r]; i < offsets.data()[r + 1]; ++i) {
      const Index place = places.data()[i];
      if (place >= 1 && place <= metric.k) hit[at(place - 1)] = 1;
    }
    values.push_back(metric.spec.of_user(
        {.top = top, .hit = hit, .relevant = held_out.data()[r], .k = metric.k, .popularity = {}}));
  }
  return moved(std::move(values));
}

nb::dict means_of(const Evaluation& evaluation) {
  nb::dict means;
  for (const MetricValue& metric : evaluation.metrics) means[metric.name.c_str()] = metric.mean;
  return means;
}

nb::dict intervals_of(const Evaluation& evaluation) {
  const auto intervals = work(0, [&] { return bootstrap_intervals(evaluation.values()); });
  nb::dict told;
  for (std::size_t m = 0; m < intervals.size(); ++m) {
    told[evaluation.user_metrics[m].c_str()] = nb::make_tuple(intervals[m].low, intervals[m].high);
  }
  return told;
}

nb::list compared(const Evaluation& a, const Evaluation& b) {
  nb::list all;
  for (const PairedComparison& row : work(0, [&] { return compare_paired(a, b); })) {
    nb::dict entry;
    entry["metric"] = row.metric;
    entry["difference"] = row.difference;
    entry["interval"] = nb::make_tuple(row.interval.low, row.interval.high);
    entry["p"] = row.p_value;
    all.append(entry);
  }
  return all;
}

}  // namespace

void bind_evaluate(nb::module_& m) {
  nb::class_<Evaluation>(m, "Evaluation", "Metrics of every user who has held-out items.")
      .def_prop_ro("means", &means_of)
      .def_prop_ro("intervals", &intervals_of)
      .def_ro("user_metrics", &Evaluation::user_metrics)
      .def_prop_ro(
          "users", [](const Evaluation& e) { return moved(e.users); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "values",
          [](const Evaluation& e) {
            const auto cols = static_cast<Offset>(e.user_metrics.size());
            return moved(e.user_values, e.user_count(), cols);
          },
          nb::rv_policy::automatic);
  m.def("evaluate", &measure_matrix, nb::arg("model"), nb::arg("train"), nb::arg("held_out"),
        nb::arg("metrics"), nb::arg("threads"));
  m.def("measure", &measure_part, nb::arg("model"), nb::arg("dataset"), nb::arg("of_test"),
        nb::arg("metrics"), nb::arg("threads"));
  m.def("metric_values", &metric_values, nb::arg("metric"), nb::arg("offsets"), nb::arg("places"),
        nb::arg("held_out"));
  m.def("check_metric", [](const std::string& name) { accuracy_of(name); });
  m.def("compare_paired", &compared, nb::arg("a"), nb::arg("b"));
}

}  // namespace sqmax::python
