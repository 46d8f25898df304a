// Error: the caller's mistake, in one sentence that names the file, line or option.
#pragma once

#include <stdexcept>
#include <string>

namespace sqmax {

enum class Errc {
  BadOption,  ///< an option's value is out of range or contradicts another
  BadInput,   ///< interactions that cannot be read or used
  BadFile,    ///< one of our files is damaged, truncated or of another kind
  NotFound,   ///< an id, a column or a file that does not exist
  Io,         ///< the operating system refused
};

/// The only exception that the library throws on purpose. `what()` is a sentence for a person.
class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

}  // namespace sqmax
