// Field: one value that a request may carry; parsing and the OpenAPI document read the same words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sqmax::http {

enum class Kind { Text, Whole, Number, Flag, Texts, Numbers, Objects };

struct Field {
  std::string name;
  Kind kind = Kind::Text;
  std::string help;
  bool required = false;
  double low = 0.0;  ///< of Whole, Number and Numbers
  double high = 0.0;
  std::string fallback = "";       ///< what is taken if it is not given, as JSON; for the document
  std::size_t most = 0;            ///< elements of Texts, Numbers and Objects
  std::vector<Field> fields = {};  ///< of each of the Objects
  std::size_t shortest = 0;        ///< characters of Text, if there is a longest
  std::size_t longest = 0;         ///< 0: any number
  bool is_choice = false;          ///< of the choices of a body, one is given and no more
  std::string needs = "";          ///< the field that it makes no sense without
};

}  // namespace sqmax::http
