// What each file of bindings adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace sqmax::python {

void bind_errors(nanobind::module_& m);
void bind_matrix(nanobind::module_& m);
void bind_registry(nanobind::module_& m);
void bind_data(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_answers(nanobind::module_& m);
void bind_fit(nanobind::module_& m);
void bind_tune(nanobind::module_& m);
void bind_evaluate(nanobind::module_& m);
void bind_sweep(nanobind::module_& m);
void bind_assemble(nanobind::module_& m);

}  // namespace sqmax::python
