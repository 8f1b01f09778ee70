// Canceling and clocks against a real socket: one listener of our own for each phase of a question.
#include "llm/http_model.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <semaphore>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "llm/providers/providers.h"

namespace airlock::llm {
namespace {

using Steady = std::chrono::steady_clock;

Fd make_socket(int flags) {
  const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (number < 0) std::abort();
  return Fd(number);
}

// Reads the question, says `words`, and then nothing more until the client goes.
class Listener {
 public:
  explicit Listener(std::string words, int backlog = 8) : words_(std::move(words)) {
    socket_ = make_socket(0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_.get(), backlog), 0);
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }

  void serve() {
    server_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  }

  ModelSettings settings() const {
    ModelSettings settings;
    settings.provider = &providers::kOllama;
    settings.model = "m";
    settings.endpoint = "http://127.0.0.1:" + std::to_string(port_);
    return settings;
  }
  std::uint16_t port() const { return port_; }
  bool was_asked() const { return was_asked_; }
  void wait_for_question() const { was_asked_.wait(false); }

 private:
  void work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd waiting{socket_.get(), POLLIN, 0};
      if (::poll(&waiting, 1, 10) <= 0) continue;
      const Fd client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      talk(client, stop);
    }
  }
  void talk(const Fd& client, const std::stop_token& stop) {
    bool has_spoken = false;
    char bytes[4096];
    while (!stop.stop_requested()) {
      pollfd waiting{client.get(), POLLIN, 0};
      if (::poll(&waiting, 1, 10) <= 0) continue;
      if (::read(client.get(), bytes, sizeof bytes) <= 0) return;
      was_asked_ = true;
      was_asked_.notify_all();
      if (has_spoken || words_.empty()) continue;
      has_spoken = ::write(client.get(), words_.data(), words_.size()) > 0;
    }
  }

  std::string words_;
  Fd socket_;
  std::uint16_t port_ = 0;
  std::atomic<bool> was_asked_ = false;
  std::jthread server_;
};

const std::string kBegun =
    "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"
    "{\"message\":{\"content\":\"abc\"},\"done\":false}\n";

// How long asking goes on after it was canceled, and what comes of it. `has_begun` returns when the
// phase is reached in which it is to be canceled.
void expect_canceled_at_once(const ModelSettings& settings, const std::function<void()>& has_begun,
                             const std::function<void(std::size_t)>& progress = {}) {
  const auto model = make_model(settings).value();
  std::stop_source stop;
  Steady::time_point canceled;
  const std::jthread canceler([&] {
    has_begun();
    canceled = Steady::now();
    stop.request_stop();
  });
  const auto answer = model->ask({.system = "", .user = "u"}, {stop.get_token(), progress});
  const auto took = Steady::now() - canceled;
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().trouble, Trouble::kCanceled) << answer.error().message;
  EXPECT_LT(took, std::chrono::seconds(5));  // it takes a few milliseconds; every clock takes more
}

TEST(HttpModel, IsCanceledAtOnceBeforeTheFirstByte) {
  Listener listener("");
  listener.serve();
  expect_canceled_at_once(listener.settings(), [&] { listener.wait_for_question(); });
}

TEST(HttpModel, IsCanceledAtOnceInTheMiddleOfAnAnswer) {
  Listener listener(kBegun);
  listener.serve();
  std::binary_semaphore has_text(0);
  expect_canceled_at_once(
      listener.settings(), [&] { has_text.acquire(); }, [&](std::size_t) { has_text.release(); });
}

// Sockets of this machine that wait for their connection to `port`, as /proc/net/tcp has them.
int connecting_to(std::uint16_t port) {
  std::ifstream table("/proc/net/tcp");
  const std::string wanted = fmt::format(":{:04X} 02 ", port);  // 02: SYN_SENT
  int count = 0;
  for (std::string line; std::getline(table, line);) count += line.contains(wanted) ? 1 : 0;
  return count;
}

TEST(HttpModel, IsCanceledAtOnceWhileConnecting) {
  // A queue that is full: the kernel lets the next one wait.
  const Listener listener("", 0);
  std::vector<Fd> queue;
  for (int i = 0; i < 4; ++i) {
    queue.push_back(make_socket(SOCK_NONBLOCK));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(listener.port());
    const int done =
        ::connect(queue.back().get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    EXPECT_TRUE(done == 0 || errno == EINPROGRESS);
  }
  const int before = connecting_to(listener.port());
  expect_canceled_at_once(listener.settings(), [&] {
    while (connecting_to(listener.port()) <= before) std::this_thread::yield();
  });
  ModelSettings hasty = listener.settings();
  hasty.connect_timeout = std::chrono::seconds(1);
  const auto answer = make_model(hasty).value()->ask({}, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().trouble, Trouble::kTimeout);
  EXPECT_NE(answer.error().fix.find("connect_seconds"), std::string::npos);
}

TEST(HttpModel, ThatIsCanceledBeforehandAsksNobody) {
  Listener listener("");
  listener.serve();
  std::stop_source stop;
  stop.request_stop();
  const auto answer = make_model(listener.settings())
                          .value()
                          ->ask({.system = "", .user = "u"}, {stop.get_token(), {}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().trouble, Trouble::kCanceled) << answer.error().message;
  EXPECT_FALSE(listener.was_asked());
}

TEST(HttpModel, EveryClockHasItsOwnWords) {
  Listener silent("");
  silent.serve();
  ModelSettings settings = silent.settings();
  settings.first_byte_timeout = std::chrono::seconds(1);
  auto answer = make_model(settings).value()->ask({}, {});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("did not begin to answer within 1 s"), std::string::npos);

  Listener begun(kBegun);
  begun.serve();
  settings = begun.settings();
  settings.stall_timeout = std::chrono::seconds(1);
  std::size_t characters = 0;
  answer =
      make_model(settings).value()->ask({}, {{}, [&](std::size_t count) { characters = count; }});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("stopped in the middle"), std::string::npos);
  EXPECT_EQ(characters, 3u);

  settings = begun.settings();
  settings.timeout = std::chrono::seconds(1);
  answer = make_model(settings).value()->ask({}, {});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("did not finish its answer within 1 s"), std::string::npos);
  EXPECT_TRUE(answer.error().is_worth_another_try);
}

TEST(HttpModel, WithoutAListenerSaysHowToStartOne) {
  const ModelSettings settings = Listener("").settings();  // closed again
  const auto answer = make_model(settings).value()->ask({}, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().trouble, Trouble::kNotRunning);
  EXPECT_EQ(answer.error().fix, "start it: ollama serve");
}

TEST(HttpModel, IsNullWhenDisabledAndAnErrorWithoutItsKey) {
  EXPECT_EQ(make_model({}).value(), nullptr);
  ModelSettings settings = Listener("").settings();
  settings.key_trouble = "the variable K is not set";
  EXPECT_FALSE(make_model(settings));
}

}  // namespace
}  // namespace airlock::llm
