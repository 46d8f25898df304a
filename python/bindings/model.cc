// Model: what was learned, for Python: arrays as views, files, and other vectors.
#include <string>

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>

#include "sqmax/model/in_memory.h"
#include "sqmax/serve/vectors.h"

#include "arrays.h"
#include "fail.h"
#include "fitted.h"
#include "ids.h"
#include "module.h"
#include "work.h"

namespace sqmax::python {
namespace {

std::unique_ptr<Fitted> load(const std::string& path, bool mapped) {
  Model model = work(0, [&] { return mapped ? load_model(path) : load_model_in_memory(path); });
  return std::make_unique<Fitted>(std::move(model));
}

Factors given_factors(const GivenMatrix<float>& values, const Factors& old, const char* name) {
  const auto rows = static_cast<Offset>(values.shape(0));
  const auto cols = static_cast<Offset>(values.shape(1));
  if (rows != old.rows || cols != old.rank) {
    fail(Errc::BadInput, "{} must be {} × {}, as it is now; {} × {} is not.", name, old.rows,
         old.rank, rows, cols);
  }
  return {old.rows, old.rank, std::vector<float>(values.data(), values.data() + values.size())};
}

std::unique_ptr<Fitted> with_factors(const Fitted& fitted, Side side,
                                     const GivenMatrix<float>& values) {
  Model model = fitted.model();
  if (side == Side::Users) {
    model.P = given_factors(values, model.P, "user_factors");
  } else {
    model.Q = given_factors(values, model.Q, "item_factors");
  }
  return std::make_unique<Fitted>(std::move(model));
}

std::unique_ptr<Fitted> with_story(const Fitted& fitted, const std::string& story) {
  Model model = fitted.model();
  model.story = story;
  return std::make_unique<Fitted>(std::move(model));
}

nb::tuple inner_product_vectors(const Fitted& fitted) {
  ServingVectors vectors = work(0, [&] { return serving_vectors(fitted.model()); });
  return nb::make_tuple(moved(std::move(vectors.users)), moved(std::move(vectors.items)));
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::enum_<Side>(m, "Side").value("Users", Side::Users).value("Items", Side::Items);
  nb::class_<Fitted>(m, "Fitted", "What was learned; it never changes.")
      .def_static("load", &load, nb::arg("path"), nb::arg("mmap"))
      .def("save", [](const Fitted& f,
                      const std::string& path) { work(0, [&] { save_model(f.model(), path); }); })
      .def("with_factors", &with_factors, nb::arg("side"), nb::arg("values"))
      .def("with_story", &with_story, nb::arg("story"))
      .def("inner_product_vectors", &inner_product_vectors)
      .def_prop_ro("loss", [](const Fitted& f) { return f.model().loss; })
      .def_prop_ro("options", [](const Fitted& f) { return f.model().options; })
      .def_prop_ro("story", [](const Fitted& f) { return f.model().story; })
      .def_prop_ro("rank", [](const Fitted& f) { return f.model().Q.rank; })
      .def_prop_ro("shape",
                   [](const Fitted& f) {
                     return nb::make_tuple(f.model().user_count(), f.model().item_count());
                   })
      .def_prop_ro("links", [](const Fitted& f) { return f.model().links.targets.nnz(); })
      .def_prop_ro("seen", [](const Fitted& f) { return f.model().seen; })
      .def_prop_ro("users", [](const Fitted& f) { return texts_of(f.model().users); })
      .def_prop_ro("items", [](const Fitted& f) { return texts_of(f.model().items); })
      .def_prop_ro(
          "user_factors",
          [](const Fitted& f) {
            const Factors& P = f.model().P;
            return view_of(P.values, P.rows, P.rank);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "item_factors",
          [](const Fitted& f) {
            const Factors& Q = f.model().Q;
            return view_of(Q.values, Q.rows, Q.rank);
          },
          nb::rv_policy::automatic);
}

}  // namespace sqmax::python
