// What a log may say of a request's target.                                       docs/server.md
#pragma once

#include <string>
#include <string_view>

namespace sqmax::http {

/// The target with "…" for what may be a secret: all of a query that was refused, since people put
/// tokens there by mistake; and whatever has the `token` in it, percent-encoded or not.
std::string logged_target(std::string_view target, bool is_refused, std::string_view token);

}  // namespace sqmax::http
