// Errors: sqmax::Error as the exceptions that Python's users expect, with the same sentence.
#include "sqmax/core/error.h"

#include "module.h"

namespace sqmax::python {
namespace {

namespace nb = nanobind;

// Never freed: exceptions may be raised until the interpreter is gone.
nb::handle& not_found() {
  static nb::handle type;
  return type;
}

nb::handle type_of(Errc code) {
  if (code == Errc::NotFound) return not_found();
  return code == Errc::Io ? PyExc_OSError : PyExc_ValueError;
}

}  // namespace

void bind_errors(nb::module_& m) {
  const nb::tuple bases =
      nb::make_tuple(nb::handle(PyExc_FileNotFoundError), nb::handle(PyExc_ValueError));
  not_found() = PyErr_NewExceptionWithDoc("sqmax.NotFoundError",
                                          "A file, a column or an id that does not exist.",
                                          bases.ptr(), nullptr);
  m.attr("NotFoundError") = not_found();
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyErr_SetString(type_of(error.code()).ptr(), error.what());
    }
  });
}

}  // namespace sqmax::python
