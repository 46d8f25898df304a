// Server: a listener, a pool, and what they talk through.
#include "serve/http/server.h"

#include <thread>

#include "serve/http/connection_pool.h"
#include "serve/http/responder.h"

namespace sqmax::http {

struct Server::State {
  State(Service& service, Listener& listening, const ServerOptions& options)
      : listener(listening),
        responder(service, options.cors, options.limits),
        pool(responder, service.metrics(), options.limits, options.connections) {}

  void accept_all() {
    while (auto arrival = listener.accept()) pool.add(std::move(*arrival));
  }
  void stop_accepting() {
    listener.stop();
    if (acceptor.joinable()) acceptor.join();
  }

  Listener& listener;
  Responder responder;
  ConnectionPool pool;
  std::thread acceptor;
};

Server::Server(Service& service, Listener& listener, const ServerOptions& options)
    : state_(std::make_unique<State>(service, listener, options)) {}

Server::~Server() { state_->stop_accepting(); }

void Server::start() {
  state_->listener.listen();
  state_->acceptor = std::thread([this] { state_->accept_all(); });
}

bool Server::drain(std::chrono::milliseconds patience) {
  state_->stop_accepting();
  return state_->pool.drain(patience);
}

}  // namespace sqmax::http
