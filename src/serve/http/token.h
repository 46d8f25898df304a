// Bearer tokens.
#pragma once

#include <string_view>

namespace sqmax::http {

/// Whether the header is "Bearer TOKEN"; an empty token is not asked for. How long it takes does
/// not depend on which bytes differ.
bool is_authorised(std::string_view header, std::string_view token);

}  // namespace sqmax::http
