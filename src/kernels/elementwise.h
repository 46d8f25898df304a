// Elementwise kernels: exponentials, and steps of descent.                    docs/kernels.md
#pragma once

#include <span>

namespace sqmax::kernels {

/// The largest of the values, which are at least one.
float largest(std::span<const float> x);

/// x = exp(x − shift), and their sum. Vectors of x are summed lane by lane.
float exponentials(float shift, std::span<float> x);

/// x *= a
void scale(float a, std::span<float> x);

/// y = a x
void scaled(float a, std::span<const float> x, std::span<float> y);

/// x −= rate · (g + decay · x)
void sgd_step(float rate, float decay, std::span<const float> g, std::span<float> x);

/// One step of Adam, corrections of the moments' bias included in `rate` and `epsilon`.
struct AdamStep {
  float rate = 0.0f;
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
};

///   h = g + decay · x,   m = β₁ m + (1−β₁) h,   v = β₂ v + (1−β₂) h²
///   x −= rate · m / (√v + epsilon)
void adam_step(const AdamStep& step, float decay, std::span<const float> g, std::span<float> m,
               std::span<float> v, std::span<float> x);

}  // namespace sqmax::kernels
