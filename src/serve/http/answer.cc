// Answers to what is refused.
#include "serve/http/answer.h"

#include "serve/http/json_text.h"

namespace sqmax::http {

Answer answer_of(const Refusal& refusal) {
  std::string body = fmt::format("{{\"error\": {{\"status\": {}, \"code\": ", refusal.status);
  add_text(body, refusal.code);
  body += ", \"message\": ";
  add_text(body, refusal.message);
  if (!refusal.field.empty()) {
    body += ", \"field\": ";
    add_text(body, refusal.field);
  }
  body += "}}";
  return {.status = refusal.status, .body = std::move(body)};
}

}  // namespace sqmax::http
