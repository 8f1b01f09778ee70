#include "present/http/exchange.h"

#include <chrono>
#include <utility>

namespace airlock::http {

namespace {

std::int64_t milliseconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void Exchange::queue(std::string bytes) {
  if (bytes.empty()) return;
  queued_bytes_ += bytes.size();
  queue_.push_back(std::move(bytes));
}

void Exchange::send(Response response) {
  const std::scoped_lock held(lock_);
  if (state_ != State::kSilent || is_abandoned_) return;
  state_ = State::kAnswered;
  status_ = response.status;
  queue(head_text(response, BodyForm::kWhole, after_, milliseconds_since_1970()));
  if (body_ == Body::kSent) queue(std::move(response.body));
}

void Exchange::begin(Response head) {
  {
    const std::scoped_lock held(lock_);
    if (state_ != State::kSilent || is_abandoned_) return;
    state_ = State::kStreaming;
    status_ = head.status;
    queue(head_text(head, BodyForm::kChunked, after_, milliseconds_since_1970()));
  }
  news_();
}

bool Exchange::write(std::string_view bytes) {
  {
    std::unique_lock held(lock_);
    changed_.wait(held, stop_.get_token(),
                  [this] { return is_abandoned_ || queued_bytes_ < kMostQueued; });
    if (is_abandoned_ || state_ != State::kStreaming || stop_.stop_requested()) return false;
    if (bytes.empty() || body_ == Body::kLeftOut) return true;
    std::string chunk;
    chunk.reserve(bytes.size() + 16);
    append_chunk(chunk, bytes);
    queue(std::move(chunk));
  }
  news_();
  return true;
}

bool Exchange::has_room() {
  const std::scoped_lock held(lock_);
  return queued_bytes_ < kMostQueued;
}

void Exchange::break_off() {
  const std::scoped_lock held(lock_);
  if (state_ == State::kStreaming) state_ = State::kBroken;
}

void Exchange::finish() {
  {
    const std::scoped_lock held(lock_);
    if (state_ == State::kSilent && !is_abandoned_) {
      const Response failed = error_response(500, "Internal", "the request was not answered");
      status_ = failed.status;
      queue(head_text(failed, BodyForm::kWhole, after_, milliseconds_since_1970()));
      if (body_ == Body::kSent) queue(failed.body);
    } else if (state_ == State::kStreaming && body_ == Body::kSent) {
      // Stopped half-way, it is not whole: the client must be able to tell.
      if (stop_.stop_requested()) {
        state_ = State::kBroken;
      } else {
        queue(std::string(kLastChunk));
      }
    }
    is_finished_ = true;
  }
  news_();
}

Exchange::Taken Exchange::take() {
  const std::scoped_lock held(lock_);
  Taken taken{.bytes = std::exchange(queue_, {}),
              .status = status_,
              .is_over = is_finished_,
              .is_broken = state_ == State::kBroken};
  queued_bytes_ = 0;
  changed_.notify_all();
  return taken;
}

void Exchange::abandon() {
  {
    const std::scoped_lock held(lock_);
    is_abandoned_ = true;
    queue_.clear();
    queued_bytes_ = 0;
    changed_.notify_all();
  }
  stop_.request_stop();
}

}  // namespace airlock::http
