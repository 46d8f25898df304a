#include "tests/support/trained_model.h"

#include "sqmax/data/dataset.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/fit.h"

#include "tests/support/numbered.h"
#include "tests/support/tiny_data.h"

namespace sqmax {

Model trained_model(const std::string& loss, Index users, Index items, Index rank) {
  const TinyData tiny(users, items, 0.2, 4);
  const Dataset data{.users = numbered(users),
                     .items = numbered(items),
                     .train = tiny.by_user,
                     .valid = empty_csr(users, items),
                     .test = empty_csr(users, items),
                     .history = empty_csr(users, items)};
  FitOptions options{.loss = loss};
  options.solve.rank = rank;
  options.solve.iterations = 2;
  return Fitter(data).fit(options).model;
}

}  // namespace sqmax
