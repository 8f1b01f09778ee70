#include "present/mcp/line_connection.h"

#include <utility>
#include <variant>

namespace airlock::mcp {

namespace {

constexpr std::size_t kMostUnderWay = 256;
// Of all requests that are under way: a client that asks for much at once costs no more memory.
constexpr std::size_t kMostBytesUnderWay = 256UL * 1024 * 1024;

}  // namespace

LineConnection::LineConnection(Service& service, int in, int out, int stop)
    : service_(service),
      // We end with the client that started us, and wait for it as long as it lives.
      stream_(in, out, stop, serve::LineStream::kEndlessPatience),
      threads_(kMostUnderWay) {}

void LineConnection::serve() {
  while (true) {
    auto line = stream_.read_line();
    if (line) {
      take(std::move(*line));
      continue;
    }
    if (line.error() != serve::LineStream::NoLine::kTooLong) break;
    stream_.write_line(error_message({.code = code::kInvalidRequest,
                                      .message = "Invalid request: a line is longer than 64 MiB"}));
    if (!stream_.skip_line()) break;
  }
  cancel_all();
}

void LineConnection::take(std::string line) {
  auto accepted = service_.accept(std::move(line), conversation_);
  if (auto* answer = std::get_if<Service::Answer>(&accepted)) {
    stream_.write_line(std::move(answer->text));
  } else if (const auto* cancelled = std::get_if<Service::Cancelled>(&accepted)) {
    cancel(cancelled->id);
  } else if (auto* asked = std::get_if<std::shared_ptr<Service::Asked>>(&accepted)) {
    // A client that does not read gets no more answers, not even quick ones, than it has room for.
    if ((*asked)->takes_time() || !stream_.has_room()) return start(std::move(*asked));
    stream_.write_line(service_.perform(**asked, {}, {}).text);
  }
}

// False: there are too many.
bool LineConnection::enter(const Service::Asked& asked) {
  if (under_way_.size() >= kMostUnderWay || bytes_under_way_ + asked.bytes() > kMostBytesUnderWay)
    return false;
  under_way_[asked.id()].bytes = asked.bytes();
  bytes_under_way_ += asked.bytes();
  ++at_work_;
  return true;
}

void LineConnection::start(std::shared_ptr<Service::Asked> asked) {
  std::stop_token stop;
  {
    const std::scoped_lock held(lock_);
    // Not as an answer to the one that is under way.
    if (under_way_.contains(asked->id())) {
      stream_.write_line(error_message({.code = code::kInvalidRequest,
                                        .message = "Invalid request: one with the id " +
                                                   asked->id() + " is under way already"}));
      return;
    }
    if (!enter(*asked)) {
      stream_.write_line(error_message(
          {.code = code::kInternalError,
           .message = "Internal error: 256 requests are under way, or 256 MiB of requests",
           .id = asked->id()}));
      return;
    }
    stop = under_way_[asked->id()].stop.get_token();
  }
  threads_.start(
      [this, asked = std::move(asked), stop = std::move(stop)] { perform(*asked, stop); });
}

// Nothing is sent for a request that was cancelled. Its id is free before the client can read the
// answer.
void LineConnection::perform(Service::Asked& asked, const std::stop_token& stop) {
  Service::Answer answer;
  if (stream_.await_room(stop)) {
    const Sink sink = [&](std::string message) {
      if (!stop.stop_requested() && stream_.has_room()) stream_.write_line(std::move(message));
    };
    answer = service_.perform(asked, sink, stop);
  }
  const std::scoped_lock held(lock_);
  const auto found = under_way_.find(asked.id());
  bytes_under_way_ -= found->second.bytes;
  under_way_.erase(found);
  if (!stop.stop_requested()) stream_.write_line(std::move(answer.text));
  --at_work_;
  changed_.notify_all();
}

void LineConnection::cancel(const std::string& id) {
  const std::scoped_lock held(lock_);
  const auto found = under_way_.find(id);
  if (found != under_way_.end()) found->second.stop.request_stop();
}

void LineConnection::cancel_all() {
  std::unique_lock held(lock_);
  for (auto& [id, request] : under_way_) request.stop.request_stop();
  changed_.wait(held, [this] { return at_work_ == 0; });
}

}  // namespace airlock::mcp
