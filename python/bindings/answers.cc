// Answers: lists for users, rows like others, vectors of new rows, reasons.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include "sqmax/rank/top_k.h"
#include "sqmax/serve/partial_fit.h"

#include "arrays.h"
#include "fail.h"
#include "fitted.h"
#include "lists.h"
#include "module.h"
#include "work.h"

namespace sqmax::python {
namespace {

std::optional<std::span<const Index>> maybe_span(const std::optional<Given<Index>>& given) {
  if (!given) return {};
  return span_of(*given);
}

void check_rows(std::span<const Index> rows, Index count, const char* side) {
  for (const Index row : rows) {
    if (row >= 0 && row < count) continue;
    throw nb::index_error(
        fmt::format("There is no {} {}: the model has {}, from 0 on.", side, row, count).c_str());
  }
}

void check_columns(const Csr& csr, Index wanted, const char* what) {
  if (csr.cols == wanted) return;
  fail(Errc::BadInput, "{} has {} columns, but the model knows {}; is it transposed?", what,
       csr.cols, wanted);
}

nb::tuple recommend(const Fitted& fitted, const Given<Index>& users, const Csr* histories, Index k,
                    bool leave_out, bool recalculate, const std::optional<Given<Index>>& allowed,
                    int threads) {
  const Model& model = fitted.model();
  const auto rows = span_of(users);
  if (!recalculate) check_rows(rows, model.user_count(), "user");
  if (histories != nullptr) check_columns(*histories, model.item_count(), "user_items");
  Lists lists(static_cast<Offset>(rows.size()), k);
  if (rows.empty()) return lists.release();
  work(threads, [&] {
    const Matrix folded = recalculate ? fitted.fold_in(Side::Users).rows(*histories) : Matrix();
    std::vector<Index> own(rows.size());
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<Index>(i);
    const CsrView known = histories != nullptr ? histories->view() : model.seen.view();
    const auto known_rows = histories != nullptr ? std::span<const Index>(own) : rows;
    TopKQuery query{.user_vectors = recalculate ? folded.view() : model.P.view(),
                    .k = k,
                    .histories = {known},
                    .rows = recalculate ? std::span<const Index>(own) : rows,
                    .excluded_rows = known_rows,
                    .allowed = maybe_span(allowed)};
    if (leave_out) query.excluded = {known};
    top_k(fitted.scorer(), query,
          [&lists](Offset list, std::span<const Ranked> best) { lists.set(list, best); });
  });
  return lists.release();
}

nb::tuple similar(const Fitted& fitted, Side side, const GivenMatrix<float>& vectors, Index k,
                  const std::optional<Given<Index>>& allowed, int threads) {
  const auto rows = static_cast<Offset>(vectors.shape(0));
  const auto cols = static_cast<Offset>(vectors.shape(1));
  Lists lists(rows, k);
  work(threads, [&] {
    const auto found =
        fitted.neighbours(side).of({vectors.data(), rows, cols}, k, maybe_span(allowed));
    for (Offset r = 0; r < rows; ++r) lists.set(r, found[at(r)]);
  });
  return lists.release();
}

nb::ndarray<nb::numpy, float> fold_in(const Fitted& fitted, Side side, const Csr& histories,
                                      int threads) {
  const Model& model = fitted.model();
  const bool of_users = side == Side::Users;
  check_columns(histories, of_users ? model.item_count() : model.user_count(),
                of_users ? "user_items" : "item_users");
  return moved(work(threads, [&] { return fitted.fold_in(side).rows(histories); }));
}

std::unique_ptr<Fitted> partial_fit(const Fitted& fitted, Side side, const Given<Index>& rows,
                                    const Csr& histories, int threads) {
  const Model& model = fitted.model();
  const bool of_users = side == Side::Users;
  check_columns(histories, of_users ? model.item_count() : model.user_count(),
                of_users ? "user_items" : "item_users");
  Model next = work(threads, [&] { return with_rows(model, side, span_of(rows), histories); });
  return std::make_unique<Fitted>(std::move(next));
}

nb::tuple explain(const Fitted& fitted, const Csr& history, Index item) {
  check_columns(history, fitted.model().item_count(), "user_items");
  check_rows({&item, 1}, fitted.model().item_count(), "item");
  const Explanation reasons =
      work(0, [&] { return fitted.explainer().explain(history.view().row(0), item); });
  nb::list parts;
  for (const Contribution& part : reasons.contributions) {
    parts.append(nb::make_tuple(part.item, part.score));
  }
  return nb::make_tuple(reasons.score, parts);
}

}  // namespace

void bind_answers(nb::module_& m) {
  m.def("recommend", &recommend, nb::arg("model"), nb::arg("users"), nb::arg("histories").none(),
        nb::arg("k"), nb::arg("leave_out"), nb::arg("recalculate"), nb::arg("allowed").none(),
        nb::arg("threads"));
  m.def("similar", &similar, nb::arg("model"), nb::arg("side"), nb::arg("vectors"), nb::arg("k"),
        nb::arg("allowed").none(), nb::arg("threads"));
  m.def("fold_in", &fold_in, nb::arg("model"), nb::arg("side"), nb::arg("histories"),
        nb::arg("threads"));
  m.def("partial_fit", &partial_fit, nb::arg("model"), nb::arg("side"), nb::arg("rows"),
        nb::arg("histories"), nb::arg("threads"));
  m.def("explain", &explain, nb::arg("model"), nb::arg("history"), nb::arg("item"));
}

}  // namespace sqmax::python
