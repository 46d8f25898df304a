// Fit: one fit with given settings.
#include <algorithm>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>

#include "sqmax/loss/loss_spec.h"

#include "fit_request.h"
#include "listener.h"
#include "module.h"
#include "work.h"

namespace sqmax::python {
namespace {

namespace nb = nanobind;

// Coordinates past the smaller side of the data are zero.
Factors padded(const Factors& old, Index rank) {
  if (rank <= old.rank || old.rank == 0) return old;
  Matrix wide(old.rows, rank);
  for (Offset r = 0; r < old.rows; ++r) {
    std::ranges::copy(old.view().row(r), wide.row(r).begin());
  }
  return to_factors(std::move(wide));
}

nb::tuple fit(const Dataset& dataset, const FitRequest& request, const nb::object& heard) {
  FitOptions options = request.options();
  const Index most = std::min(dataset.user_count(), dataset.item_count());
  options.solve.rank = std::min(request.rank, most);
  FitResult result = work(request.threads, [&] {
    FitResult made = Fitter(dataset).fit(options, fit_listener(heard));
    made.model.P = padded(made.model.P, request.rank);
    made.model.Q = padded(made.model.Q, request.rank);
    return made;
  });
  nb::dict told = told_fit(result);
  return nb::make_tuple(std::make_unique<Fitted>(std::move(result.model)), told);
}

}  // namespace

FitOptions FitRequest::options() const {
  const LossSpec& spec = find_loss(loss);
  FitOptions made{.loss = loss, .options = {}, .solver = solver};
  const Settings complete = completed("The loss " + loss, spec.options, settings);
  for (const auto& [name, value] : settings) made.options[name] = complete.at(name);
  made.solve.rank = rank;
  if (iterations) made.solve.iterations = *iterations;
  made.usual_epochs = !iterations;
  if (tolerance) made.solve.tolerance = *tolerance;
  if (learning_rate) made.solve.learning_rate = *learning_rate;
  if (cg_steps) made.solve.cg_steps = *cg_steps;
  made.solve.seed = seed;
  made.solve.report_objective = objective;
  return made;
}

nb::dict told_fit(const FitResult& result) {
  nb::dict told;
  told["solver"] = result.solver;
  told["steps"] = result.steps;
  told["kept"] = result.kept;
  told["residual"] = result.residual;
  told["converged"] = result.reason == StopReason::Converged;
  told["stopped"] = nb::str(to_text(result.reason).data(), to_text(result.reason).size());
  told["seconds"] = result.seconds;
  return told;
}

void bind_fit(nb::module_& m) {
  nb::class_<FitRequest>(m, "FitRequest", "What to minimise, and how.")
      .def(nb::init<>())
      .def_rw("loss", &FitRequest::loss)
      .def_rw("settings", &FitRequest::settings)
      .def_rw("rank", &FitRequest::rank)
      .def_rw("solver", &FitRequest::solver)
      .def_rw("iterations", &FitRequest::iterations)
      .def_rw("tolerance", &FitRequest::tolerance)
      .def_rw("learning_rate", &FitRequest::learning_rate)
      .def_rw("cg_steps", &FitRequest::cg_steps)
      .def_rw("seed", &FitRequest::seed)
      .def_rw("threads", &FitRequest::threads)
      .def_rw("objective", &FitRequest::objective);
  m.def("fit", &fit, nb::arg("dataset"), nb::arg("request"), nb::arg("heard").none());
}

}  // namespace sqmax::python
