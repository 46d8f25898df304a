// Server: a listener, a pool, and what they talk through.
#include "serve/http/server.h"

#include <thread>

#include "serve/http/connection_pool.h"
#include "serve/http/listener.h"
#include "serve/http/responder.h"

namespace sqmax::http {

struct Server::State {
  State(Service& service, const ServerOptions& options)
      : listener(options.address, options.port),
        responder(service, options.cors, options.limits),
        pool(responder, service.metrics(), options.limits, options.connections) {}

  void accept_all() {
    while (auto arrival = listener.accept()) pool.add(std::move(*arrival));
  }
  void stop_accepting() {
    listener.stop();
    if (acceptor.joinable()) acceptor.join();
  }

  Listener listener;
  Responder responder;
  ConnectionPool pool;
  std::thread acceptor;
};

Server::Server(Service& service, const ServerOptions& options)
    : state_(std::make_unique<State>(service, options)) {}

Server::~Server() { state_->stop_accepting(); }

int Server::port() const { return state_->listener.port(); }
bool Server::is_loopback() const { return state_->listener.is_loopback(); }

void Server::start() {
  state_->acceptor = std::thread([this] { state_->accept_all(); });
}

bool Server::drain(std::chrono::milliseconds patience) {
  state_->stop_accepting();
  return state_->pool.drain(patience);
}

}  // namespace sqmax::http
