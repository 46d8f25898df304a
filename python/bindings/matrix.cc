// Csr from the arrays of a SciPy matrix, checked and made canonical.
#include <algorithm>
#include <optional>
#include <string>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "sqmax/data/csr.h"

#include "arrays.h"
#include "fail.h"
#include "module.h"
#include "work.h"

namespace sqmax::python {
namespace {

struct Shape {
  Index rows = 0;
  Index cols = 0;
};

void check_offsets(std::span<const Offset> offsets, Shape shape, std::size_t count,
                   const std::string& what) {
  const bool ends =
      offsets.size() == at(shape.rows) + 1 && offsets.front() == 0 && at(offsets.back()) <= count;
  if (!ends || !std::ranges::is_sorted(offsets)) {
    fail(Errc::BadInput, "{}.indptr is not that of a CSR matrix with {} rows and {} values.", what,
         shape.rows, count);
  }
}

// Whether every row is ascending and distinct.
bool is_canonical(CsrView matrix, const std::string& what) {
  bool canonical = true;
  for (Index r = 0; r < matrix.rows; ++r) {
    Index before = -1;
    for (const Index c : matrix.row(r)) {
      if (c < 0 || c >= matrix.cols) {
        fail(Errc::BadInput, "{} has column {} in row {}, but only {} columns.", what, c, r,
             matrix.cols);
      }
      canonical = canonical && c > before;
      before = c;
    }
  }
  return canonical;
}

Csr canonical_copy(CsrView matrix) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  indices.reserve(at(matrix.nnz()));
  for (Index r = 0; r < matrix.rows; ++r) {
    std::vector<Index> row(matrix.row(r).begin(), matrix.row(r).end());
    std::ranges::sort(row);
    indices.insert(indices.end(), row.begin(), std::unique(row.begin(), row.end()));
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {matrix.rows, matrix.cols, std::move(offsets), std::move(indices)};
}

Csr plain_copy(CsrView matrix) {
  return {matrix.rows, matrix.cols,
          std::vector<Offset>(matrix.offsets.begin(), matrix.offsets.end()),
          std::vector<Index>(matrix.indices.begin(), matrix.indices.begin() + matrix.nnz())};
}

// A copy belongs to what is kept; what is asked once borrows.
Csr csr_of(const Given<Offset>& offsets, const Given<Index>& indices, std::pair<Index, Index> sizes,
           bool copy, const std::string& what) {
  const Shape shape{sizes.first, sizes.second};
  const auto checked = [&]() -> std::optional<Csr> {
    check_offsets(span_of(offsets), shape, indices.size(), what);
    const CsrView view{shape.rows, shape.cols, span_of(offsets), span_of(indices)};
    if (!is_canonical(view, what)) return canonical_copy(view);
    if (copy) return plain_copy(view);
    return {};
  };
  std::optional<Csr> made = work(0, checked);
  if (made) return *std::move(made);
  Array<Index> all = borrowed(indices);
  const Array<Index> used(std::make_shared<Array<Index>>(all),
                          all.span().first(at(offsets.data()[shape.rows])));
  return {shape.rows, shape.cols, borrowed(offsets), used};
}

}  // namespace

void bind_matrix(nb::module_& m) {
  nb::class_<Csr>(m, "Csr", "A sparse 0/1 matrix by rows, each ascending and distinct.")
      .def(nb::new_(&csr_of), nb::arg("indptr"), nb::arg("indices"), nb::arg("shape"),
           nb::arg("copy") = true, nb::arg("what") = "The matrix")
      .def_prop_ro("shape", [](const Csr& csr) { return nb::make_tuple(csr.rows, csr.cols); })
      .def_prop_ro("nnz", &Csr::nnz)
      .def_prop_ro(
          "indptr", [](const Csr& csr) { return view_of(csr.offsets); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "indices", [](const Csr& csr) { return view_of(csr.indices); }, nb::rv_policy::automatic)
      .def("transposed", [](const Csr& csr) { return work(0, [&] { return transpose(csr); }); });
}

}  // namespace sqmax::python
