// NpyArray: a one-dimensional NumPy array within a zip file, read in pieces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/read/zip_archive.h"

namespace sqmax {

class NpyArray {
 public:
  /// The entry `name`.npy.
  NpyArray(const ZipArchive& archive, const std::string& name);

  /// Elements not read yet.
  Offset left() const { return left_; }
  /// The next elements, `count` or all that are left. Throws Errc::BadInput if they are of another
  /// kind.
  std::vector<std::int64_t> integers(Offset count);
  std::vector<double> reals(Offset count);
  /// A scalar array of letters, like 'csr'.
  std::string letters();

 private:
  [[noreturn]] void fail_for(const char* reason) const;
  void parse_header();
  std::vector<char> elements(Offset count);
  template <class T>
  std::vector<T> numbers(Offset count);

  std::string name_;
  ZipStream stream_;
  std::string type_;  // as NumPy writes it: <i4, |b1, <f8, |S3, <U3
  std::size_t element_size_ = 0;
  Offset left_ = 0;
};

}  // namespace sqmax
