#include "present/http/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

namespace airlock::http {

namespace {

constexpr std::size_t kReadAtOnce = 64UL * 1024;
// Reads of one client before others have their turn.
constexpr int kReadsInARow = 4;

}  // namespace

Connection::Connection(std::uint64_t number, Accepted accepted, TimePoint now)
    : id(number),
      socket(std::move(accepted.socket)),
      peer(std::move(accepted.peer)),
      client(std::move(accepted.client)),
      deadline(now),
      waits_since(now) {}

bool Connection::fill() {
  for (int i = 0; i < kReadsInARow && has_room_in(); ++i) {
    const std::size_t before = in.size();
    ssize_t got = 0;
    in.resize_and_overwrite(before + kReadAtOnce, [&](char* bytes, std::size_t) {
      got = ::recv(socket.get(), bytes + before, kReadAtOnce, MSG_DONTWAIT);
      return before + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    });
    if (got == 0) has_ended = true;
    if (got == 0) return true;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (in.size() < before + kReadAtOnce) return true;
  }
  return true;
}

void Connection::queue(std::string bytes) {
  if (bytes.empty()) return;
  out_bytes += bytes.size();
  out.push_back(std::move(bytes));
}

bool Connection::flush(TimePoint now) {
  constexpr auto kWritePatience = std::chrono::seconds(30);
  while (!out.empty()) {
    const std::string& first = out.front();
    const ssize_t put = ::send(socket.get(), first.data() + out_start_, first.size() - out_start_,
                               MSG_DONTWAIT | MSG_NOSIGNAL);
    if (put < 0) return errno == EAGAIN || errno == EINTR;
    deadline = now + kWritePatience;  // as long as it takes something
    const auto bytes = static_cast<std::size_t>(put);
    out_start_ += bytes;
    out_bytes -= bytes;
    if (record) record->bytes_out += bytes;
    if (out_start_ < first.size()) continue;
    out.pop_front();
    out_start_ = 0;
  }
  return true;
}

void Connection::begin_next(TimePoint now) {
  stage = Stage::kReading;
  reader = RequestReader();
  let_in.reset();
  exchange.reset();
  delayed.reset();
  record.reset();
  counted_body = 0;
  ++requests;
  waits_since = now;
}

}  // namespace airlock::http
