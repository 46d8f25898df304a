// Schemas of answers.
#include "serve/http/schemas.h"

namespace sqmax::http {
namespace {

constexpr const char* kSchemas = R"({
  "Item": {"type": "object", "required": ["item"], "additionalProperties": false, "properties": {
    "item": {"type": "string", "description": "the id"},
    "title": {"type": "string"}, "link": {"type": "string"},
    "columns": {"type": "object", "additionalProperties": {"type": "string"}},
    "popularity": {"type": "integer", "minimum": 0, "description": "interactions in training"},
    "score": {"type": "number"}}},
  "List": {"type": "object", "required": ["items"], "additionalProperties": false, "properties": {
    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}},
  "UserList": {"type": "object", "required": ["user", "items"], "additionalProperties": false,
    "properties": {"user": {"type": "string"},
    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}},
  "Lists": {"type": "object", "required": ["results"], "additionalProperties": false,
    "properties": {"results": {"type": "array", "items": {"$ref": "#/components/schemas/List"}}}},
  "Items": {"type": "object", "required": ["items"], "additionalProperties": false, "properties": {
    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}},
  "Similar": {"type": "object", "required": ["item", "items"], "additionalProperties": false,
    "properties": {"item": {"$ref": "#/components/schemas/Item"},
    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}},
  "Explanation": {"type": "object", "required": ["item", "score", "rest", "contributions"],
    "additionalProperties": false, "properties": {
    "item": {"$ref": "#/components/schemas/Item"},
    "score": {"type": "number", "description": "rest and all contributions together"},
    "rest": {"type": "number", "description": "what no item of the history is the reason for"},
    "contributions": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}},
  "Model": {"type": "object", "required": ["loss", "rank", "users", "items", "interactions",
    "uses_prior", "blend", "options", "story", "index", "version", "explains", "events"],
    "properties": {"loss": {"type": "string"}, "rank": {"type": "integer"},
    "users": {"type": "integer"}, "items": {"type": "integer"}, "interactions": {"type": "integer"},
    "uses_prior": {"type": "boolean"}, "blend": {"type": "number"}, "options": {"type": "object"},
    "story": {"type": "object", "description": "what the model file tells of its training"},
    "index": {"type": "object", "required": ["kind"], "properties": {
      "kind": {"enum": ["exact", "hnsw"]}, "recall@10": {"type": "number"}}},
    "version": {"type": "string"}, "explains": {"type": "boolean"}, "events": {"type": "boolean"}}},
  "Map": {"type": "object", "required": ["items", "titles", "x", "y", "popularity"],
    "additionalProperties": false, "properties": {
    "items": {"type": "array", "items": {"type": "string"}},
    "titles": {"type": "array", "items": {"type": "string"}},
    "x": {"type": "array", "items": {"type": "number", "minimum": -1, "maximum": 1}},
    "y": {"type": "array", "items": {"type": "number", "minimum": -1, "maximum": 1}},
    "popularity": {"type": "array", "items": {"type": "integer"}}}},
  "Accepted": {"type": "object", "required": ["accepted"], "additionalProperties": false,
    "properties": {"accepted": {"type": "integer", "minimum": 0}}},
  "Status": {"type": "object", "required": ["status"], "additionalProperties": false,
    "properties": {"status": {"const": "ok"}}},
  "Any": {"type": "object"},
  "Error": {"type": "object", "required": ["error"], "additionalProperties": false, "properties": {
    "error": {"type": "object", "required": ["status", "code", "message"],
    "additionalProperties": false, "properties": {
    "status": {"type": "integer"}, "code": {"type": "string"},
    "message": {"type": "string", "description": "one sentence"},
    "field": {"type": "string", "description": "what it is about, as in history[2]"}}}}}
})";

}  // namespace

nlohmann::ordered_json answer_schemas() { return nlohmann::ordered_json::parse(kSchemas); }

}  // namespace sqmax::http
