// A model from its parts, which stay where they are: arrays of NumPy, maybe in files.
#include <string>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/fit.h"

#include "arrays.h"
#include "fail.h"
#include "fitted.h"
#include "law.h"
#include "module.h"

namespace sqmax::python {
namespace {

Factors factors_of(const GivenMatrix<float>& given) {
  return {static_cast<Index>(given.shape(0)), static_cast<Index>(given.shape(1)), borrowed(given)};
}

IdTable ids_of(const Given<Offset>& offsets, const Given<std::uint8_t>& text) {
  return {borrowed(offsets), borrowed(text)};
}

std::unique_ptr<Fitted> assemble(const std::string& loss, const Settings& options,
                                 const LawNumbers& law, const GivenMatrix<float>& P,
                                 const GivenMatrix<float>& Q, const Csr& seen,
                                 const Given<Offset>& user_offsets,
                                 const Given<std::uint8_t>& user_text,
                                 const Given<Offset>& item_offsets,
                                 const Given<std::uint8_t>& item_text, const std::string& story) {
  Model model{.users = ids_of(user_offsets, user_text),
              .items = ids_of(item_offsets, item_text),
              .P = factors_of(P),
              .Q = factors_of(Q),
              .links = {},
              .seen = seen,
              .user_extra = {},
              .item_extra = {},
              .loss = loss,
              .options = {},
              .law = law_of(law),
              .uses_prior = find_loss(loss).scoring == Scoring::Prior,
              .story = story};
  set_scoring(model, options);
  const bool fits = model.users.size() == model.P.rows && model.items.size() == model.Q.rows &&
                    seen.rows == model.P.rows && seen.cols == model.Q.rows &&
                    model.P.rank == model.Q.rank;
  if (!fits) fail(Errc::BadInput, "The parts of the model differ in shape.");
  return std::make_unique<Fitted>(std::move(model));
}

}  // namespace

void bind_assemble(nb::module_& m) {
  m.def("assemble", &assemble, nb::arg("loss"), nb::arg("options"), nb::arg("law"), nb::arg("P"),
        nb::arg("Q"), nb::arg("seen"), nb::arg("user_offsets"), nb::arg("user_text"),
        nb::arg("item_offsets"), nb::arg("item_text"), nb::arg("story"));
}

}  // namespace sqmax::python
