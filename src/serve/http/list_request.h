// From ids in a request to positions in a model.
#pragma once

#include <string>

#include "sqmax/serve/engine.h"

#include "serve/http/catalogue.h"
#include "serve/http/event_histories.h"
#include "serve/http/values.h"

namespace sqmax::http {

/// The fields of a request for a list, in a body.
std::vector<Field> list_fields();

/// Throws Refusal: 400 for an item that does not exist, 404 for a user. Someone with events is
/// folded in from training and events together. `prefix` stands before the names of fields.
ListRequest list_request(const Values& values, const Catalogue& catalogue,
                         const EventHistories& events, const std::string& prefix = "");

/// The position of the item that a field names. Throws Refusal.
Index item_position(const std::string& id, const Catalogue& catalogue, const std::string& field,
                    int status = 400);

}  // namespace sqmax::http
