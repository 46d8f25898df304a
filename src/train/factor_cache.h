// FactorCache: the last factorisation, for fits that differ in the ridge or have a lower rank.
#pragma once

#include <cstdint>
#include <optional>

#include "sqmax/core/quadratic_law.h"

#include "solve/exact.h"

namespace sqmax {

class FactorCache {
 public:
  /// The factorisation of this problem: the last one, if it is of the same weights, at least of
  /// this rank and of the same seed; else a new one, which takes its place.
  const Factorisation& get(const Problem& stated, const QuadraticLaw& law,
                           const SolveOptions& options, const OnSolve& listener);

  /// As if it had been asked for, without the work: what is asked for next is the same as then.
  void expect(const QuadraticLaw& law, const SolveOptions& options);

 private:
  struct Entry {
    QuadraticLaw law;  // without its ridge
    Index rank = 0;
    std::uint64_t seed = 0;
    std::optional<Factorisation> factorisation;  // not there yet if it was only expected
  };
  std::optional<Entry> entry_;
};

}  // namespace sqmax
