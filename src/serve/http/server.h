// Server: connections, a thread each, and the way to their end.                    docs/server.md
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "serve/http/connection.h"
#include "serve/http/listener.h"
#include "serve/http/service.h"

namespace sqmax::http {

struct ServerOptions {
  std::string cors;  ///< as in ServiceOptions
  std::size_t connections = 1024;
  ConnectionLimits limits;
};

class Server {
 public:
  /// `service` and `listener` must outlive it.
  Server(Service& service, Listener& listener, const ServerOptions& options);
  /// Ends every connection at once.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Listens and answers from now on. Throws Errc::Io.
  void start();
  /// No new connections; what is being answered is answered, for so long at most. False if not all
  /// came to their end.
  bool drain(std::chrono::milliseconds patience);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax::http
