// FactorCache.
#include "train/factor_cache.h"

namespace sqmax {

const Factorisation& FactorCache::get(const Problem& stated, const QuadraticLaw& law,
                                      const SolveOptions& options, const OnSolve& listener) {
  expect(law, options);
  if (!entry_->factorisation) {
    SolveOptions first = options;
    first.rank = entry_->rank;
    entry_->factorisation = factorise(stated, first, listener);
  }
  return *entry_->factorisation;
}

// The memory of one goes before the next one comes.
void FactorCache::expect(const QuadraticLaw& law, const SolveOptions& options) {
  const QuadraticLaw weights = without_ridge(law);
  const bool is_known = entry_ && entry_->law == weights && entry_->rank >= options.rank &&
                        entry_->seed == options.seed;
  if (!is_known) entry_ = Entry{.law = weights, .rank = options.rank, .seed = options.seed};
}

}  // namespace sqmax
