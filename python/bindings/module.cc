// sqmax._core: the library, as the Python package sees it.                     docs/python.md
#include "module.h"

NB_MODULE(_core, m) {
  m.doc() = "The C++ library. Use the package sqmax, which adds types, checks and documentation.";
  sqmax::python::bind_errors(m);
  sqmax::python::bind_matrix(m);
  sqmax::python::bind_registry(m);
  sqmax::python::bind_data(m);
  sqmax::python::bind_model(m);
  sqmax::python::bind_answers(m);
  sqmax::python::bind_fit(m);
  sqmax::python::bind_tune(m);
  sqmax::python::bind_evaluate(m);
  sqmax::python::bind_sweep(m);
  sqmax::python::bind_assemble(m);
}
