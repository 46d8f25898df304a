// Route: a method and a path, what it takes, what it answers. One file each in routes/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http/answer.h"
#include "serve/http/catalogue.h"
#include "serve/http/field.h"
#include "serve/http/values.h"

namespace sqmax::http {

class Service;

/// What a route answers from. The catalogue stays whole even if it is replaced meanwhile.
struct Call {
  const Values& values;
  const Catalogue& catalogue;
  Service& service;
};

struct Route {
  std::string method;
  std::string path;
  std::string name;     ///< operationId, and the label in metrics
  std::string summary;  ///< one sentence
  std::vector<Field> query = {};
  std::vector<Field> body = {};
  std::string answer = {};  ///< a schema of schemas.cc; empty: not JSON
  std::string type = kJson;
  bool is_open = false;  ///< answered without a token
  bool is_page = false;  ///< for browsers: not in the document
  Answer (*run)(const Call& call) = nullptr;
};

/// Every route: those that routes/*.cc list.
std::span<const Route> routes();

/// What a method and a path lead to.
struct Match {
  const Route* route = nullptr;
  std::string allowed;  ///< methods of the path, "GET, HEAD"; empty: no such path
};
Match find_route(std::string_view method, std::string_view path);

}  // namespace sqmax::http
