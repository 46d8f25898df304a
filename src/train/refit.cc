// refit(): union of the parts, then one fit.
#include "sqmax/train/refit.h"

#include <algorithm>

namespace sqmax {
namespace {

// Rows as the sorted union of those of a and b, which have no pair in common.
Csr united(CsrView a, CsrView b) {
  std::vector<Offset> offsets = {0};
  offsets.reserve(at(a.rows) + 1);
  std::vector<Index> indices(at(a.nnz() + b.nnz()));
  auto end = indices.begin();
  for (Index r = 0; r < a.rows; ++r) {
    end = std::ranges::merge(a.row(r), b.row(r), end).out;
    offsets.push_back(end - indices.begin());
  }
  return {a.rows, a.cols, std::move(offsets), std::move(indices)};
}

// The rows of `part` for which `other` has any, or of those for which it has none.
Csr rows_where(CsrView part, CsrView other, bool has_any) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Index r = 0; r < part.rows; ++r) {
    const auto row = part.row(r);
    if ((other.row_size(r) > 0) == has_any) indices.insert(indices.end(), row.begin(), row.end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {part.rows, part.cols, std::move(offsets), std::move(indices)};
}

}  // namespace

Dataset with_validation(const Dataset& dataset) {
  Dataset whole = dataset;
  whole.train = united(dataset.train, dataset.valid);
  whole.valid = empty_csr(dataset.user_count(), dataset.item_count());
  if (dataset.history.nnz() > 0) {
    whole.train = united(whole.train, rows_where(dataset.history, dataset.valid, true));
    whole.history = rows_where(dataset.history, dataset.valid, false);
  }
  return whole;
}

FitResult refit(const Dataset& dataset, const FitOptions& options, const Trial& trial,
                const OnFit& listener) {
  FitOptions fit = options;
  fit.options = trial.options;
  fit.early_stop.reset();
  fit.usual_epochs = false;
  fit.solve.rank = trial.rank;
  if (!trial.solver.empty()) fit.solver = trial.solver;
  if (trial.solver != "exact") fit.solve.iterations = std::max(trial.steps, 1);
  Fitter fitter(dataset);
  return fitter.fit(fit, listener);
}

}  // namespace sqmax
