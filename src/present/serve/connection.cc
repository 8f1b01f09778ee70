#include "present/serve/connection.h"

#include <utility>
#include <vector>

#include "present/report/piece_json.h"
#include "present/serve/pipelines.h"

namespace airlock::serve {

namespace {

constexpr std::size_t kMostUnderWay = 256;
// Of all requests that are under way: a client that asks for much at once costs no more memory.
constexpr std::size_t kMostBytesUnderWay = 256UL * 1024 * 1024;

std::string hello_line() {
  return "{\"protocol\":" + std::to_string(kProtocol) + ",\"version\":\"" AIRLOCK_VERSION "\"}";
}

}  // namespace

// What happens while a piece runs, as lines to the client.
class Connection::PieceEvents final : public SessionListener {
 public:
  PieceEvents(Connection& connection, std::string id, bool wants_prints)
      : connection_(connection), id_(std::move(id)), wants_prints_(wants_prints) {}

  // A client that does not keep up hears of them together, later: the piece does not wait for it.
  void printed(OutputStream stream, std::string_view text) override {
    if (!wants_prints_) return;
    if (unsent_.empty() || unsent_.back().first != stream) unsent_.emplace_back(stream, "");
    unsent_.back().second += text;
    if (connection_.stream_.has_room()) send_prints();
  }
  void called(const HostCall& call) override {
    send_prints();  // what was printed before the call is heard before it
    connection_.stream_.write_line(call_line(id_, call.number, call.name, call.arguments));
  }
  void send_prints() {
    for (const auto& [stream, text] : unsent_)
      connection_.stream_.write_line(printed_line(id_, stream, text));
    unsent_.clear();
  }

 private:
  Connection& connection_;
  std::string id_;
  bool wants_prints_;
  std::vector<std::pair<OutputStream, std::string>> unsent_;  // bounded as the output of a piece is
};

Connection::Connection(Resident& resident, int in, int out, int stop, FilesMayBeNamed files)
    : resident_(resident),
      stream_(in, out, stop,
              files == FilesMayBeNamed::kAnywhere ? LineStream::kEndlessPatience
                                                  : LineStream::kWritePatience),
      files_(files),
      sessions_(resident),
      threads_(kMostUnderWay) {}

void Connection::serve() {
  stream_.write_line(hello_line());
  while (true) {
    auto line = stream_.read_line();
    if (!line) {
      if (line.error() == LineStream::NoLine::kTooLong)
        stream_.write_line(error_line("", "Usage", "a line is longer than 64 MiB"));
      break;
    }
    auto request = read_request(std::move(*line));
    if (!request) {
      stream_.write_line(error_line("", request.error()));
      continue;
    }
    take(std::move(*request));
  }
  stream_.write_line("{\"event\":\"closing\"}");
  cancel_all();
  resident_.extractors().forget(this);
}

// What is quick is done here; the rest by another thread, so that the next line can be read.
void Connection::take(Request request) {
  if (request.what == "answer") return answer(request);
  if (request.what == "cancel") return cancel(request);
  if (request.what == "ping") {
    stream_.write_line(result_line(request.id, "{}"));
    return;
  }
  start(std::move(request));
}

// Among those under way, and a piece into the line of its session: here the requests still come in
// their order. False: there are too many.
bool Connection::enter(const Request& request) {
  const std::size_t bytes = request.line->size();
  if (under_way_.size() >= kMostUnderWay || bytes_under_way_ + bytes > kMostBytesUnderWay)
    return false;
  UnderWay& entry = under_way_[request.id];
  entry.bytes = bytes;
  bytes_under_way_ += bytes;
  const auto name = request.what == "run" ? request.members.text("session") : std::nullopt;
  if (!name) return true;
  if (auto turn = sessions_.enter(*name))
    entry.turn = std::make_shared<const LiveSessions::Turn>(std::move(*turn));
  return true;
}

void Connection::start(Request request) {
  std::stop_token stop;
  {
    const std::scoped_lock held(lock_);
    const bool is_twice = under_way_.contains(request.id);
    if (is_twice || !enter(request)) {
      // Not as an answer to the one that is under way.
      stream_.write_line(
          is_twice ? error_line("", "Usage",
                                "a request with the id " + request.id + " is under way already")
                   : error_line(request.id, "Usage",
                                "256 requests are under way, or 256 MiB of requests"));
      return;
    }
    stop = under_way_[request.id].stop.get_token();
    ++at_work_;
  }
  threads_.start([this, request = std::move(request), stop = std::move(stop)] {
    std::string line = done_line(request, stop);
    // Its id is free before the client can read the answer.
    finish(request.id);
    stream_.write_line(std::move(line));
    const std::scoped_lock held(lock_);
    --at_work_;
    changed_.notify_all();
  });
}

std::string Connection::done_line(const Request& request, const std::stop_token& stop) {
  std::string line;
  try {
    auto done = perform(request, stop);
    line = done                    ? result_line(request.id, done->json, done->is_admitted)
           : stop.stop_requested() ? error_line(request.id, "Cancelled", "it was cancelled")
                                   : error_line(request.id, done.error());
  } catch (const std::exception& bug) {
    line = error_line(request.id, "Internal", bug.what());
  }
  return line;
}

void Connection::finish(const std::string& id) {
  const std::scoped_lock held(lock_);
  const auto found = under_way_.find(id);
  bytes_under_way_ -= found->second.bytes;
  under_way_.erase(found);
  changed_.notify_all();
}

Result<Answered> Connection::perform(const Request& request, const std::stop_token& stop) {
  if (request.what == "open") return open(request);
  if (request.what == "run") return run(request, stop);
  if (request.what == "close") return close(request);
  if (!stream_.await_room(stop)) return fail("wait for the client to read: it was stopped");
  return perform_pipeline(request, resident_, this, stop);
}

Result<std::string> Connection::open(const Request& request) {
  TRY(refuse_others(request, {"policy", "timeout", "deadline", "memory_mb", "output_bytes",
                              "max_calls", "functions", "files", "strict"}));
  const std::string name =
      TRY(sessions_.open(TRY(read_session_options(request, resident_, files_))));
  return "{\"session\":\"" + name + "\"}";
}

// Null: there is no such session, or no such request.
std::shared_ptr<const LiveSessions::Turn> Connection::turn_of(const std::string& id) {
  const std::scoped_lock held(lock_);
  const auto found = under_way_.find(id);
  return found == under_way_.end() ? nullptr : found->second.turn;
}

Result<std::string> Connection::run(const Request& request, const std::stop_token& stop) {
  if (!request.members.has("session") || request.members.is_null("session")) {
    TRY(refuse_others(request,
                      {"session", "code", "inputs", "prints", "policy", "timeout", "deadline",
                       "memory_mb", "output_bytes", "max_calls", "functions", "files", "strict"}));
    auto alone = std::make_shared<const LiveSessions::Turn>(sessions_.enter_alone());
    TRY(sessions_.open_if_new(*alone, TRY(read_session_options(request, resident_, files_))));
    {
      const std::scoped_lock held(lock_);
      under_way_[request.id].turn = alone;
    }
    return run_piece(request, *alone, stop);
  }
  TRY(refuse_others(request, {"session", "code", "inputs", "prints", "timeout"}));
  const std::string name = TRY(need_text(request, "session"));
  const auto turn = turn_of(request.id);
  if (!turn) return bad_request("there is no session '" + name + "': it was closed, or never open");
  return run_piece(request, *turn, stop);
}

Result<std::string> Connection::run_piece(const Request& request, const LiveSessions::Turn& turn,
                                          const std::stop_token& stop) {
  const auto piece = TRY(read_piece(request));
  const bool wants_prints = TRY(flag_or(request, "prints", false));
  TRY(sessions_.await(turn, stop));
  // What a client does not read takes memory, and it gets no more of it.
  if (!stream_.await_room(stop)) return fail("wait for the client to read: it was stopped");
  PieceEvents events(*this, request.id, wants_prints);
  const auto report = sessions_.run(turn, piece.run(), events, stop);
  events.send_prints();
  if (!report) return std::unexpected(report.error());
  return cli::piece_as_json(*report);
}

Result<std::string> Connection::close(const Request& request) {
  TRY(refuse_others(request, {"session"}));
  const bool was_open = sessions_.close(TRY(need_text(request, "session")));
  return std::string(was_open ? "{\"closed\":true}" : "{\"closed\":false}");
}

// {"id": of the piece's request, "do": "answer", "call": …, "value": …} or with "error": {"type",
// "message"}. What answers nothing any more is dropped: the piece may just have ended.
void Connection::answer(const Request& request) {
  const auto call = request.members.number("call");
  const auto error = JsonMembers::read(request.members.raw("error"), kRequestDepth);
  // A null stands for a member that is missing, where there is an error.
  const bool has_value =
      request.members.has("value") && !(error.has_value() && request.members.is_null("value"));
  if (!call || *call < 0 || *call > 4e9 || has_value == error.has_value()) {
    // Not as an answer to the piece, which is still under way.
    stream_.write_line(error_line("", "Usage",
                                  "an answer has a 'call' and a 'value', or an 'error' with type "
                                  "and message; one with the id " +
                                      request.id + " has not"));
    return;
  }
  CallResult result{.success = has_value, .value = {}, .error_type = {}, .error = {}};
  if (has_value) {
    result.value = std::string(request.members.raw("value"));
  } else {
    result.error_type = error->text("type").value_or("Exception");
    result.error = error->text("message").value_or("");
  }
  if (const auto turn = turn_of(request.id))
    sessions_.answer(*turn, static_cast<std::uint32_t>(*call), std::move(result));
}

// {"id": of the request, "do": "cancel"}. Its answer comes as always, and says how it ended.
void Connection::cancel(const Request& request) {
  const std::scoped_lock held(lock_);
  const auto found = under_way_.find(request.id);
  if (found != under_way_.end()) found->second.stop.request_stop();
}

// The client is gone, or the server ends: pieces are told to stop, and what is left is closed when
// they have.
void Connection::cancel_all() {
  {
    std::unique_lock held(lock_);
    for (auto& [id, request] : under_way_) request.stop.request_stop();
    changed_.wait(held, [this] { return at_work_ == 0; });
  }
  sessions_.close_all();
}

}  // namespace airlock::serve
