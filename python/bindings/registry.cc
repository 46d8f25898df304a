// What exists: losses with their options, metrics, solvers, formats. Spelled once, in the library.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "sqmax/data/read.h"
#include "sqmax/kernels/isa.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/rank/metric.h"
#include "sqmax/solve/solve.h"
#include "sqmax/train/search.h"

#include "module.h"

namespace sqmax::python {
namespace {

namespace nb = nanobind;

nb::dict describe(const OptionSpec& option) {
  nb::dict entry;
  entry["name"] = option.name;
  entry["help"] = option.help;
  entry["default"] = nb::cast(option.fallback);
  entry["low"] = option.low;
  entry["high"] = option.high;
  entry["choices"] = nb::cast(option.choices);
  entry["whole"] = option.whole;
  return entry;
}

nb::dict describe(const LossSpec& loss) {
  nb::dict entry;
  entry["name"] = loss.name;
  entry["title"] = loss.title;
  entry["formula"] = loss.formula;
  entry["squared"] = loss.is_squared();
  entry["has_factors"] = loss.has_factors;
  entry["separable"] = nb::cast(loss.separable);
  entry["iterations"] = loss.epochs > 0 ? loss.epochs : SolveOptions().iterations;
  entry["rank"] = SolveOptions().rank;
  nb::list options;
  for (const OptionSpec& option : loss.options) options.append(describe(option));
  entry["options"] = options;
  return entry;
}

nb::list list_losses() {
  nb::list all;
  for (const LossSpec& loss : losses()) all.append(describe(loss));
  return all;
}

nb::list list_metrics() {
  nb::list all;
  for (const MetricSpec& metric : metrics()) {
    nb::dict entry;
    entry["name"] = nb::str(metric.name.data(), metric.name.size());
    entry["title"] = nb::str(metric.title.data(), metric.title.size());
    entry["formula"] = nb::str(metric.formula.data(), metric.formula.size());
    all.append(entry);
  }
  return all;
}

template <class Specs>
nb::list names_of(const Specs& specs) {
  nb::list names;
  for (const auto& spec : specs) names.append(nb::str(spec.name.c_str()));
  return names;
}

}  // namespace

void bind_registry(nb::module_& m) {
  m.def("losses", &list_losses, "Every loss there is, with its options.");
  m.def("metrics", &list_metrics, "Every metric there is.");
  m.def(
      "solvers", [] { return names_of(solvers()); }, "Names of the solvers.");
  m.def(
      "searches", [] { return names_of(searches()); }, "Names of the searches.");
  m.def(
      "formats", [] { return names_of(formats()); }, "Names of the formats that can be read.");
}

}  // namespace sqmax::python
