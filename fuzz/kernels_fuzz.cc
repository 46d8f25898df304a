// Kernels of any instruction set against plain loops, for any sizes: equal, and nothing beyond
// the ends is read or written.                                          docs/kernels.md
#include <string>
#include <vector>

#include "sqmax/core/parallel.h"
#include "sqmax/kernels/isa.h"

#include "fuzz/fuzz_target.h"
#include "fuzz/kernels/dense_checks.h"
#include "fuzz/kernels/list_checks.h"
#include "fuzz/kernels/sparse_checks.h"
#include "fuzz/kernels/step_checks.h"
#include "fuzz/kernels/system_checks.h"

namespace {

namespace fuzz = sqmax::kernels_fuzz;

using Check = void (*)(fuzz::Draws&);
constexpr Check kChecks[] = {
    fuzz::check_vectors,      fuzz::check_gather_sum,   fuzz::check_multiply_add,
    fuzz::check_tall,         fuzz::check_sparse,       fuzz::check_cholesky,
    fuzz::check_score_block,  fuzz::check_exponentials, fuzz::check_steps,
    fuzz::check_listed,       fuzz::check_add_gram,     fuzz::check_outer_products,
    fuzz::check_scaled_cross, fuzz::check_long_rows,    fuzz::check_shifted_scores};

}  // namespace

// The first byte chooses the kernels, and an instruction set where inputs are many; the others
// their sizes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static const std::vector<std::string> isas = sqmax::available_isas();
  if (size == 0) return 0;
  const std::size_t chosen = bytes[0] / std::size(kChecks) % isas.size();
  for (std::size_t i = 0; i < isas.size(); ++i) {
    if (kInputsAreMany && i != chosen) continue;
    sqmax::use_isa(isas[i]);
    fuzz::Draws draws({bytes + 1, size - 1});
    kChecks[bytes[0] % std::size(kChecks)](draws);
  }
  sqmax::use_isa("");
  return 0;
}
