// MovingSide: decay, step, and back into the ball.
#include "solve/moving_side.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/dense.h"
#include "kernels/elementwise.h"
#include "kernels/listed.h"

namespace sqmax {

MovingSide::MovingSide(Matrix start, SideRules rules, const MakeRule& make, StepShape shape)
    : vectors_(std::move(start)), moved_(at(vectors_.rows())), rules_(std::move(rules)) {
  shape.rows = vectors_.rows();
  shape.cols = vectors_.cols();
  rule_ = make(shape);
  if (!rules_.extra) return;
  extras_.assign(at(shape.rows), static_cast<float>(rules_.extra->start));
  shape.cols = 1;
  extra_rule_ = make(shape);
}

void MovingSide::fetch(Offset row) const {
  kernels::fetch(vectors_.row(row).data(), vectors_.row(row).size_bytes());
  kernels::fetch(&moved_[at(row)], sizeof(Offset));
  if (rules_.decay.size() > 1) kernels::fetch(&rules_.decay[at(row)], sizeof(float));
  rule_->fetch(row);
}

void MovingSide::move(Offset row, Offset now, std::span<const float> gradient, float extra_slope) {
  const auto x = vectors_.row(row);
  const double steps = static_cast<double>(now) - static_cast<double>(moved_[at(row)]);
  moved_[at(row)] = now;
  rule_->step(row, gradient, static_cast<float>(steps * decay(row)), x);
  if (rules_.radius > 0.0) {
    const float length = std::sqrt(kernels::dot(x, x));
    const auto radius = static_cast<float>(rules_.radius);
    if (length > radius) kernels::scale(radius / length, x);
  }
  if (!rules_.extra) return;
  const Extra& extra = *rules_.extra;
  const double always = steps * extra.slope / static_cast<double>(vectors_.rows());
  const float slope = extra_slope + static_cast<float>(always);
  float& value = extras_[at(row)];
  extra_rule_->step(row, {&slope, 1}, 0.0f, {&value, 1});
  value = std::clamp(value, static_cast<float>(extra.low), static_cast<float>(extra.high));
}

void MovingSide::show(const std::string& name, StateVisitor& visitor) {
  visitor.visit(name + ".vectors", vectors_.values());
  visitor.visit(name + ".moved", moved_);
  rule_->show(name + ".rule", visitor);
  if (!rules_.extra) return;
  visitor.visit(name + ".extras", extras_);
  extra_rule_->show(name + ".extra_rule", visitor);
}

double MovingSide::penalty() const {
  if (rules_.decay.empty()) return 0.0;
  double sum = 0.0;
  for (Offset row = 0; row < vectors_.rows(); ++row) {
    double square = 0.0;
    for (const float value : vectors_.row(row)) square += double{value} * value;
    sum += decay(row) / 2.0 * square;
  }
  return sum;
}

double MovingSide::extra_term() const {
  if (!rules_.extra) return 0.0;
  double sum = 0.0;
  for (const float value : extras_) sum += value;
  return rules_.extra->slope * sum / static_cast<double>(extras_.size());
}

}  // namespace sqmax
