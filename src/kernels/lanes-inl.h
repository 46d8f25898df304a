// Vectors of floats, and the last one of a row, which may be narrower than the others.
// Read once per instruction set, like the bodies that include it.
#if defined(SQMAX_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SQMAX_KERNELS_LANES_INL_H_
#undef SQMAX_KERNELS_LANES_INL_H_
#else
#define SQMAX_KERNELS_LANES_INL_H_
#endif

#include <algorithm>

#include <hwy/highway.h>

#include "sqmax/core/index.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// The first lanes of a vector.
struct Lanes {
  explicit Lanes(Offset wanted)
      : count(std::min(at(std::max<Offset>(0, wanted)), hn::Lanes(D()))),
        mask(hn::FirstN(D(), count)) {}
  std::size_t count;
  hn::Mask<D> mask;
};

// Zeros after the first lanes, which alone are read. Without masked loads in the instruction set,
// MaskedLoad would want alignment and read past the end.
HWY_INLINE V load(const Lanes& lanes, const float* p) {
  const D d;
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN float copy[HWY_MAX_BYTES / sizeof(float)] = {};
  for (std::size_t i = 0; i < lanes.count; ++i) copy[i] = p[i];
  return hn::Load(d, copy);
#else
  return hn::MaskedLoad(lanes.mask, d, p);
#endif
}

HWY_INLINE void store(V value, const Lanes& lanes, float* p) {
  hn::BlendedStore(value, lanes.mask, D(), p);
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
