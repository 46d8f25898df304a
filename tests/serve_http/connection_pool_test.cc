// ConnectionPool: who is served when threads are few. Clients are ends of socket pairs.
#include "serve/http/connection_pool.h"

#include <array>
#include <chrono>
#include <memory>
#include <system_error>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/trained_model.h"

namespace sqmax::http {
namespace {

/// Its other end is for a pool.
class PairedClient {
 public:
  explicit PairedClient(ConnectionPool& pool) {
    std::array<int, 2> ends = {};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    descriptor_ = ends[0];
    pool.add({.descriptor = ends[1], .client = "test"});
  }
  ~PairedClient() { ::close(descriptor_); }
  PairedClient(const PairedClient&) = delete;
  PairedClient& operator=(const PairedClient&) = delete;

  /// The status of an answer; 0: the connection has ended.
  int ask() const {
    constexpr std::string_view request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    ::send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL);
    std::array<char, 4096> bytes = {};
    const ssize_t count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    return count > 12 ? std::stoi(std::string(&bytes[9], 3)) : 0;
  }

 private:
  int descriptor_ = -1;
};

class Pool : public testing::Test {
 protected:
  Pool()
      : service({}, std::make_shared<const Catalogue>(trained_model("rgp", 5, 5, 2), ItemTable(),
                                                      EngineOptions())),
        responder(service, "", limits),
        pool(responder, service.metrics(), limits, 8, [this](std::function<void()> work) {
          if (threads_left == 0) throw std::system_error(EAGAIN, std::generic_category());
          --threads_left;
          return start_thread(std::move(work));
        }) {}

  Service service;
  ConnectionLimits limits;
  Responder responder;
  int threads_left = 0;
  ConnectionPool pool;
};

TEST_F(Pool, WithoutAnyThreadClientsAreTurnedAway) {
  EXPECT_EQ(PairedClient(pool).ask(), 503);
  threads_left = 1;
  EXPECT_EQ(PairedClient(pool).ask(), 200);
}

TEST_F(Pool, WithoutMoreThreadsTheIdleMakeRoom) {
  threads_left = 1;
  const PairedClient first(pool);
  EXPECT_EQ(first.ask(), 200);
  // The first is idle as soon as its thread has come back from the answer.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  auto second = std::make_unique<PairedClient>(pool);
  int status = second->ask();
  while (status == 503 && std::chrono::steady_clock::now() < end) {
    second = std::make_unique<PairedClient>(pool);
    status = second->ask();
  }
  EXPECT_EQ(status, 200);
  EXPECT_EQ(first.ask(), 0);
  threads_left = 1;
  const PairedClient third(pool);
  EXPECT_EQ(third.ask(), 200);
  EXPECT_EQ(second->ask(), 200);
}

}  // namespace
}  // namespace sqmax::http
