// Arrays: blocks of values between NumPy and the library, without a copy.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"
#include "sqmax/core/matrix.h"

namespace sqmax::python {

namespace nb = nanobind;

template <class T>
using Given = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using GivenMatrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Given<T>& given) {
  return {given.data(), given.size()};
}

/// The block of a NumPy array, which is let go with the interpreter's lock.
template <class T, class... Shape>
Array<T> borrowed(const nb::ndarray<const T, Shape...>& given) {
  using Held = nb::ndarray<const T, Shape...>;
  const std::shared_ptr<Held> keeper(new Held(given), [](Held* held) {
    const nb::gil_scoped_acquire locked;
    delete held;
  });
  return {keeper, std::span<const T>(given.data(), given.size())};
}

/// An object of Python that keeps `value` alive.
template <class Value>
nb::capsule keeper_of(Value value) {
  auto kept = std::make_unique<Value>(std::move(value));
  return {kept.release(), [](void* held) noexcept { delete static_cast<Value*>(held); }};
}

/// Read-only in Python: the block may belong to a model or to a mapped file.
template <class T>
nb::ndarray<nb::numpy, const T> view_of(const Array<T>& values) {
  return {values.data(), {values.size()}, keeper_of(values)};
}
template <class T>
nb::ndarray<nb::numpy, const T> view_of(const Array<T>& values, Offset rows, Offset cols) {
  return {values.data(), {at(rows), at(cols)}, keeper_of(values)};
}

/// Python's own.
template <class T>
nb::ndarray<nb::numpy, T> moved(std::vector<T> values, Offset rows, Offset cols) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const nb::capsule keeper(kept.release(),
                           [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return {data, {at(rows), at(cols)}, keeper};
}
inline nb::ndarray<nb::numpy, float> moved(Matrix matrix) {
  auto kept = std::make_unique<Matrix>(std::move(matrix));
  float* data = kept->values().data();
  const std::size_t rows = at(kept->rows());
  const std::size_t cols = at(kept->cols());
  const nb::capsule keeper(kept.release(),
                           [](void* held) noexcept { delete static_cast<Matrix*>(held); });
  return {data, {rows, cols}, keeper};
}
template <class T>
nb::ndarray<nb::numpy, T> moved(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const std::size_t size = kept->size();
  const nb::capsule keeper(kept.release(),
                           [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return {data, {size}, keeper};
}

}  // namespace sqmax::python
