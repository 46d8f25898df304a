// Bodies of the elementwise kernels, compiled once per instruction set by Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/elementwise.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

HWY_ATTR float largest(const float* HWY_RESTRICT x, std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  if (n < width) {
    float most = x[0];
    for (std::size_t i = 1; i < n; ++i) most = std::max(most, x[i]);
    return most;
  }
  V most = hn::LoadU(d, x + n - width);  // the last vector may overlap the one before it
  for (std::size_t i = 0; i + width <= n; i += width) most = hn::Max(most, hn::LoadU(d, x + i));
  return hn::GetLane(hn::MaxOfLanes(d, most));
}

HWY_ATTR float exponentials(float shift, float* HWY_RESTRICT x, std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V s = hn::Set(d, shift);
  V sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    const V e = hn::Exp(d, hn::Sub(hn::LoadU(d, x + i), s));
    sum = hn::Add(sum, e);
    hn::StoreU(e, d, x + i);
  }
  if (i < n) {
    const Lanes rest(Offset(n - i));
    const V e = hn::IfThenElseZero(rest.mask, hn::Exp(d, hn::Sub(load(rest, x + i), s)));
    sum = hn::Add(sum, e);
    store(e, rest, x + i);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

HWY_ATTR void scale(float a, float* HWY_RESTRICT x, std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V va = hn::Set(d, a);
  std::size_t i = 0;
  for (; i + width <= n; i += width) hn::StoreU(hn::Mul(va, hn::LoadU(d, x + i)), d, x + i);
  for (; i < n; ++i) x[i] *= a;
}

HWY_ATTR void scaled(float a, const float* HWY_RESTRICT x, float* HWY_RESTRICT y, std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V va = hn::Set(d, a);
  std::size_t i = 0;
  for (; i + width <= n; i += width) hn::StoreU(hn::Mul(va, hn::LoadU(d, x + i)), d, y + i);
  for (; i < n; ++i) y[i] = a * x[i];
}

HWY_ATTR void sgd_step(float rate, float decay, const float* HWY_RESTRICT g, float* HWY_RESTRICT x,
                       std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const V r = hn::Set(d, rate);
  const V k = hn::Set(d, decay);
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    const V here = hn::LoadU(d, x + i);
    hn::StoreU(hn::NegMulAdd(r, hn::MulAdd(k, here, hn::LoadU(d, g + i)), here), d, x + i);
  }
  if (i < n) {
    const Lanes rest(Offset(n - i));
    const V here = load(rest, x + i);
    store(hn::NegMulAdd(r, hn::MulAdd(k, here, load(rest, g + i)), here), rest, x + i);
  }
}

struct AdamVectors {
  V rate, decay, beta1, beta2, rest1, rest2, epsilon;
};

// Loads and stores are those of the whole vectors of a row, or of its last one.
template <class Load, class Store>
HWY_ATTR HWY_INLINE void adam_vector(const AdamVectors& a, const float* g, float* m, float* v,
                                     float* x, const Load& get, const Store& put) {
  const V here = get(x);
  const V slope = hn::MulAdd(a.decay, here, get(g));
  const V first = hn::MulAdd(a.beta1, get(m), hn::Mul(a.rest1, slope));
  const V second = hn::MulAdd(a.beta2, get(v), hn::Mul(a.rest2, hn::Mul(slope, slope)));
  put(first, m);
  put(second, v);
  const V length = hn::Div(first, hn::Add(hn::Sqrt(second), a.epsilon));
  put(hn::NegMulAdd(a.rate, length, here), x);
}

HWY_ATTR void adam_step(const AdamStep& step, float decay, const float* HWY_RESTRICT g,
                        float* HWY_RESTRICT m, float* HWY_RESTRICT v, float* HWY_RESTRICT x,
                        std::size_t n) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const AdamVectors a{hn::Set(d, step.rate),         hn::Set(d, decay),
                      hn::Set(d, step.beta1),        hn::Set(d, step.beta2),
                      hn::Set(d, 1.0f - step.beta1), hn::Set(d, 1.0f - step.beta2),
                      hn::Set(d, step.epsilon)};
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    adam_vector(
        a, g + i, m + i, v + i, x + i, [d](const float* p) HWY_ATTR { return hn::LoadU(d, p); },
        [d](V value, float* p) HWY_ATTR { hn::StoreU(value, d, p); });
  }
  if (i < n) {
    const Lanes rest(Offset(n - i));
    adam_vector(
        a, g + i, m + i, v + i, x + i, [&rest](const float* p) HWY_ATTR { return load(rest, p); },
        [&rest](V value, float* p) HWY_ATTR { store(value, rest, p); });
  }
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax::kernels {
namespace {
HWY_EXPORT(largest);
HWY_EXPORT(exponentials);
HWY_EXPORT(scale);
HWY_EXPORT(scaled);
HWY_EXPORT(sgd_step);
HWY_EXPORT(adam_step);
}  // namespace

float largest(std::span<const float> x) {
  return HWY_DYNAMIC_DISPATCH(largest)(x.data(), x.size());
}

float exponentials(float shift, std::span<float> x) {
  return HWY_DYNAMIC_DISPATCH(exponentials)(shift, x.data(), x.size());
}

void scale(float a, std::span<float> x) { HWY_DYNAMIC_DISPATCH(scale)(a, x.data(), x.size()); }

void scaled(float a, std::span<const float> x, std::span<float> y) {
  HWY_DYNAMIC_DISPATCH(scaled)(a, x.data(), y.data(), y.size());
}

void sgd_step(float rate, float decay, std::span<const float> g, std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(sgd_step)(rate, decay, g.data(), x.data(), x.size());
}

void adam_step(const AdamStep& step, float decay, std::span<const float> g, std::span<float> m,
               std::span<float> v, std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(adam_step)
  (step, decay, g.data(), m.data(), v.data(), x.data(), x.size());
}

}  // namespace sqmax::kernels
#endif
