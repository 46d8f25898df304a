// Where the bearer token of `sqmax serve` comes from.                             docs/server.md
#pragma once

#include <optional>
#include <string>

namespace sqmax::cli {

struct TokenSource {
  std::optional<std::string> text;  ///< --token
  std::optional<std::string> file;  ///< --token-file
};

/// The token of the source, or else of SQMAX_TOKEN; empty: there is none at all. Throws
/// Errc::BadOption for one that is given and empty, since the server would be open to everybody,
/// and for one that no client could send.
std::string token_of(const TokenSource& source);

/// Nobody finds SQMAX_TOKEN in the environment of this process from now on, nor in that of a
/// program that it starts.
void forget_token_variable();

}  // namespace sqmax::cli
