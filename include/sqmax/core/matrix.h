// Matrix and MatrixView: dense, row-major, rows next to each other.
#pragma once

#include <span>
#include <utility>

#include "sqmax/core/index.h"
#include "sqmax/core/large_vector.h"

namespace sqmax {

template <class T>
struct MatrixView {
  T* data = nullptr;
  Offset rows = 0;
  Offset cols = 0;

  std::span<T> row(Offset r) const { return {data + r * cols, at(cols)}; }
  MatrixView middle_rows(Offset begin, Offset end) const {
    return {data + begin * cols, end - begin, cols};
  }
  T& operator()(Offset r, Offset c) const { return data[r * cols + c]; }
  std::span<T> values() const { return {data, at(rows * cols)}; }
  operator MatrixView<const T>() const {  // NOLINT(google-explicit-constructor)
    return {data, rows, cols};
  }
};

using ConstMatrix = MatrixView<const float>;
using MutableMatrix = MatrixView<float>;

/// Owns its values; zero at birth.
class Matrix {
 public:
  Matrix() = default;
  Matrix(Offset rows, Offset cols) : values_(at(rows * cols), 0.0f), rows_(rows), cols_(cols) {}
  /// For somebody who writes all of it: values are undefined until then. Threads that write share
  /// the first touch of its memory.
  static Matrix unwritten(Offset rows, Offset cols) {
    Matrix matrix;
    matrix.values_ = LargeVector<float>(at(rows * cols));
    matrix.rows_ = rows;
    matrix.cols_ = cols;
    return matrix;
  }

  Offset rows() const { return rows_; }
  Offset cols() const { return cols_; }
  std::span<float> row(Offset r) { return view().row(r); }
  std::span<const float> row(Offset r) const { return view().row(r); }
  float& operator()(Offset r, Offset c) { return values_[at(r * cols_ + c)]; }
  float operator()(Offset r, Offset c) const { return values_[at(r * cols_ + c)]; }
  std::span<float> values() { return values_; }
  std::span<const float> values() const { return values_; }

  /// The values alone, row after row; the matrix is empty afterwards.
  LargeVector<float> release() {
    rows_ = cols_ = 0;
    return std::move(values_);
  }

  MutableMatrix view() { return {values_.data(), rows_, cols_}; }
  ConstMatrix view() const { return {values_.data(), rows_, cols_}; }
  operator ConstMatrix() const { return view(); }  // NOLINT(google-explicit-constructor)

 private:
  LargeVector<float> values_;
  Offset rows_ = 0;
  Offset cols_ = 0;
};

}  // namespace sqmax
