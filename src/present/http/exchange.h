// One request that is being answered, between two threads: the one that performs it writes
// (answer.h), the loop takes what is to be sent. The loop never waits for a performer; a performer
// waits when its client does not read.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "present/http/answer.h"

namespace airlock::http {

class Exchange final : public Answer {
 public:
  // A stream that is so far ahead of its client waits for it.
  static constexpr std::size_t kMostQueued = 1024UL * 1024;

  enum class Body : std::uint8_t { kSent, kLeftOut };  // left out: HEAD

  // `news`: called, by the performer, when there is something to take.
  Exchange(Body body, AfterThis after, std::function<void()> news)
      : body_(body), after_(after), news_(std::move(news)) {}

  // For the performer.
  void send(Response response) override;
  void begin(Response head) override;
  bool write(std::string_view bytes) override;
  bool has_room() override;
  void break_off() override;
  std::stop_token stop() override { return stop_.get_token(); }
  // When it has returned. What was not answered is answered here.
  void finish();

  // For the loop.
  struct Taken {
    std::deque<std::string> bytes;
    int status = 0;          // 0: nothing was answered yet
    bool is_over = false;    // nothing follows
    bool is_broken = false;  // and what there was is not whole
  };
  Taken take();
  // Nobody hears it any more: whoever waits in write() returns.
  void abandon();
  // The server ends: what is done is to stop, and its answer is still sent.
  void request_stop() { stop_.request_stop(); }

 private:
  enum class State : std::uint8_t { kSilent, kStreaming, kAnswered, kBroken };

  void queue(std::string bytes);

  const Body body_;
  const AfterThis after_;
  const std::function<void()> news_;
  std::stop_source stop_;
  std::mutex lock_;  // of what follows
  std::condition_variable_any changed_;
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  State state_ = State::kSilent;
  int status_ = 0;
  bool is_finished_ = false;
  bool is_abandoned_ = false;
};

}  // namespace airlock::http
