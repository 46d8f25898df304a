// Responder: speaks HTTP with one connection, by cpp-httplib, and asks the service for answers.
#pragma once

#include <memory>

#include "serve/http/connection.h"
#include "serve/http/service.h"

namespace sqmax::http {

class Responder {
 public:
  /// `cors`: as in ServiceOptions. `service` must outlive it.
  Responder(Service& service, const std::string& cors, const ConnectionLimits& limits);
  ~Responder();
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;

  /// Answers requests until one side has had enough. From many threads at once.
  void serve(Connection& connection);
  /// A 503 for somebody for whom there is no room.
  void turn_away(Connection& connection);

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace sqmax::http
