// Finding: one remark of the data doctor.
#pragma once

#include <string>

namespace sqmax {

struct Finding {
  std::string kind;      ///< a word that programs can test: "duplicates", "leaking-split", …
  std::string sentence;  ///< for a person
};

}  // namespace sqmax
