// The document: paths, parameters and bodies from the fields of the routes.
#include "serve/http/openapi.h"

#include <algorithm>
#include <cmath>

#include "serve/http/route.h"
#include "serve/http/schemas.h"

namespace sqmax::http {
namespace {

using Json = nlohmann::ordered_json;

Json object_schema(std::span<const Field> fields);

Json number(double value) {
  if (value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json text_schema(const Field& field) {
  Json schema = {{"type", "string"}};
  if (field.shortest > 0) schema["minLength"] = field.shortest;
  if (field.longest > 0) schema["maxLength"] = field.longest;
  return schema;
}

Json type_schema(const Field& field) {
  switch (field.kind) {
    case Kind::Text:
      return text_schema(field);
    case Kind::Flag:
      return {{"type", "boolean"}};
    case Kind::Whole:
      return {{"type", "integer"}, {"minimum", number(field.low)}, {"maximum", number(field.high)}};
    case Kind::Number:
      return {{"type", "number"}, {"minimum", number(field.low)}, {"maximum", number(field.high)}};
    case Kind::Texts:
      return {{"type", "array"}, {"maxItems", field.most}, {"items", {{"type", "string"}}}};
    case Kind::Numbers:
      return {
          {"type", "array"},
          {"maxItems", field.most},
          {"items",
           {{"type", "number"}, {"minimum", number(field.low)}, {"maximum", number(field.high)}}}};
    case Kind::Objects:
      return {{"type", "array"}, {"maxItems", field.most}, {"items", object_schema(field.fields)}};
  }
  return {};
}

Json schema_of(const Field& field) {
  Json schema = type_schema(field);
  if (!field.fallback.empty()) schema["default"] = Json::parse(field.fallback);
  return schema;
}

void add_choices(Json& schema, std::span<const Field> fields) {
  for (const Field& field : fields) {
    if (field.is_choice) schema["oneOf"].push_back({{"required", Json::array({field.name})}});
    if (!field.needs.empty()) schema["dependentRequired"][field.name] = Json::array({field.needs});
  }
}

Json object_schema(std::span<const Field> fields) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : fields) {
    properties[field.name] = schema_of(field);
    properties[field.name]["description"] = field.help;
    if (field.required) required.push_back(field.name);
  }
  Json schema = {{"type", "object"}, {"properties", properties}};
  if (!required.empty()) schema["required"] = required;
  add_choices(schema, fields);
  schema["additionalProperties"] = false;
  return schema;
}

Json parameters_of(const Route& route) {
  Json parameters = Json::array();
  for (const Field& field : route.query) {
    parameters.push_back({{"name", field.name},
                          {"in", "query"},
                          {"required", field.required},
                          {"description", field.help},
                          {"schema", schema_of(field)}});
  }
  return parameters;
}

Json content(const std::string& schema) {
  return {{kJson, {{"schema", {{"$ref", "#/components/schemas/" + schema}}}}}};
}

Json responses_of(const Route& route) {
  Json good = {{"description", "done"}};
  good["content"] = route.answer.empty() ? Json{{route.type, {{"schema", {{"type", "string"}}}}}}
                                         : content(route.answer);
  return {{"200", good}, {"default", {{"description", "refused"}, {"content", content("Error")}}}};
}

Json operation(const Route& route) {
  Json json = {{"operationId", route.name}, {"summary", route.summary}};
  if (!route.query.empty()) json["parameters"] = parameters_of(route);
  if (!route.body.empty()) {
    json["requestBody"] = {{"required", true},
                           {"content", {{kJson, {{"schema", object_schema(route.body)}}}}}};
  }
  json["responses"] = responses_of(route);
  json["security"] = route.is_open ? Json::array() : Json::array({{{"token", Json::array()}}});
  return json;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

}  // namespace

std::string openapi_text() {
  Json paths = Json::object();
  for (const Route& route : routes()) {
    if (!route.is_page) paths[route.path][lower(route.method)] = operation(route);
  }
  const Json document = {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "sqmax"},
        {"version", SQMAX_VERSION},
        {"description", "Rankings learned from interactions."},
        {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
      {"servers", {{{"url", "/"}}}},
      {"paths", paths},
      {"components",
       {{"schemas", answer_schemas()},
        {"securitySchemes",
         {{"token",
           {{"type", "http"},
            {"scheme", "bearer"},
            {"description", "asked for if the server was started with a token"}}}}}}}};
  return document.dump(1);
}

}  // namespace sqmax::http
