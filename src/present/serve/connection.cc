#include "present/serve/connection.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "base/ascii.h"
#include "base/json_writer.h"
#include "engine/session/session_files.h"
#include "os/random.h"
#include "present/report/piece_json.h"
#include "present/serve/pipelines.h"

namespace airlock::serve {

namespace {

// Seconds after which a cell that waits for the next batch of an extractor is ended.
constexpr double kCellIdle = 60;
constexpr std::size_t kMostUnderWay = 256;
// Of all requests that are under way: a client that asks for much at once costs no more memory.
constexpr std::size_t kMostBytesUnderWay = 256UL * 1024 * 1024;
constexpr std::size_t kMostSessions = 1024;
constexpr std::size_t kMostFunctions = 1000;

std::string hello_line() {
  return "{\"protocol\":" + std::to_string(kProtocol) + ",\"version\":\"" AIRLOCK_VERSION "\"}";
}

// A name that nobody guesses.
std::string new_name() {
  constexpr std::size_t kBytes = 12;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  for (const char byte : os::random_bytes(kBytes)) {
    const auto value = static_cast<unsigned char>(byte);
    name += kDigits[value >> 4];
    name += kDigits[value & 15];
  }
  return name;
}

std::uint32_t whole(double number) {
  return static_cast<std::uint32_t>(std::lround(number));
}

// Each {"name", "doc"?, "signature"?, "async"?}.
Result<std::vector<HostFunction>> functions_of(const Request& request) {
  std::vector<HostFunction> functions;
  if (!request.members.has("functions") || request.members.is_null("functions")) return functions;
  const auto items = request.members.items("functions");
  if (!items || items->size() > kMostFunctions)
    return bad_request("'functions' is to be a list of at most 1000 objects with a 'name'");
  for (const std::string_view item : *items) {
    const auto one = JsonMembers::read(item, kRequestDepth);
    if (!one || !one->text("name"))
      return bad_request("'functions' is to be a list of objects with a 'name'");
    functions.push_back(
        {.name = *one->text("name"),
         .doc = one->text("doc").value_or(""),
         .signature = std::string(one->is_null("signature") ? "" : one->raw("signature")),
         .is_async = one->flag("async").value_or(false)});
  }
  return functions;
}

// {"name in /data": "path"}
Result<std::vector<SessionFile>> files_of(const Request& request, bool may_name_files) {
  constexpr std::size_t kMost = 64;
  std::vector<SessionFile> files;
  if (!request.members.has("files") || request.members.is_null("files")) return files;
  if (!may_name_files)
    return bad_request("'files' are for the program that started this server over --stdio");
  const auto named = JsonMembers::read(request.members.raw("files"), kRequestDepth);
  if (!named || named->names().size() > kMost)
    return bad_request("'files' is to be an object of at most 64 names and paths");
  for (const std::string_view name : named->names()) {
    const auto path = named->text(name);
    if (!path) return bad_request("'files' is to be an object of names and paths");
    files.push_back(TRY(find_session_file(std::string(name), *path)));
  }
  return files;
}

Result<PieceLimits> limits_of(const Request& request, bool& has_own_deadline) {
  constexpr double kDay = 86'400;
  PieceLimits limits;
  if (const auto seconds = TRY(maybe_number(request, "timeout", 0.001, kDay)))
    limits.timeout_ms = whole(*seconds * 1000);
  if (const auto seconds = TRY(maybe_number(request, "deadline", 0.001, kDay)))
    limits.deadline_ms = whole(*seconds * 1000);
  has_own_deadline = request.members.has("deadline") && !request.members.is_null("deadline");
  if (const auto megabytes = TRY(maybe_number(request, "memory_mb", 1, 4000)))
    limits.memory_bytes = whole(*megabytes * 1e6);
  if (const auto bytes = TRY(maybe_number(request, "output_bytes", 0, 32 * 1024 * 1024)))
    limits.output_bytes = whole(*bytes);
  if (const auto calls = TRY(maybe_number(request, "max_calls", 0, 1e6)))
    limits.calls = whole(*calls);
  return limits;
}

}  // namespace

// What happens while a piece runs, as lines to the client.
class Connection::PieceEvents final : public SessionListener {
 public:
  PieceEvents(Connection& connection, const Live& live, std::stop_token stop, std::string id,
              bool wants_prints, WorkSlots::Held& slot)
      : connection_(connection),
        live_(live),
        stop_(std::move(stop)),
        id_(std::move(id)),
        wants_prints_(wants_prints),
        slot_(slot) {}

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
  void began_waiting() override { slot_.release(); }
  bool may_go_on() override { return slot_.try_take(); }
  void send_prints() {
    for (const auto& [stream, text] : unsent_)
      connection_.stream_.write_line(printed_line(id_, stream, text));
    unsent_.clear();
  }
  bool is_cancelled() override { return stop_.stop_requested() || connection_.is_closed(live_); }

 private:
  Connection& connection_;
  const Live& live_;
  std::stop_token stop_;
  std::string id_;
  bool wants_prints_;
  WorkSlots::Held& slot_;
  std::vector<std::pair<OutputStream, std::string>> unsent_;  // bounded as the output of a piece is
};

Connection::Connection(Resident& resident, int in, int out, int stop, bool may_name_files)
    : resident_(resident),
      stream_(in, out, stop,
              may_name_files ? LineStream::kEndlessPatience : LineStream::kWritePatience),
      may_name_files_(may_name_files),
      threads_(kMostUnderWay) {}

void Connection::serve() {
  stream_.write_line(hello_line());
  std::thread keeper([this] { close_idle(); });
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
  keeper.join();
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

// Among those under way, and a piece into the queue of its session: here the requests still come in
// their order. False: there are too many.
bool Connection::enter(const Request& request) {
  const std::size_t bytes = request.line->size();
  if (under_way_.size() >= kMostUnderWay || bytes_under_way_ + bytes > kMostBytesUnderWay)
    return false;
  UnderWay& entry = under_way_[request.id];
  entry.bytes = bytes;
  bytes_under_way_ += bytes;
  const auto name = request.what == "run" ? request.members.text("session") : std::nullopt;
  const auto found = name ? sessions_.find(*name) : sessions_.end();
  if (found == sessions_.end()) return true;
  entry.queued_at = found->second;
  entry.queued_at->queue.push_back(request.id);
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
    line = done                    ? result_line(request.id, *done)
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
  if (found->second.queued_at) std::erase(found->second.queued_at->queue, id);
  under_way_.erase(found);
  changed_.notify_all();
}

Result<std::string> Connection::perform(const Request& request, const std::stop_token& stop) {
  if (request.what == "open") return open(request);
  if (request.what == "run") return run(request, stop);
  if (request.what == "close") return close(request);
  if (!stream_.await_room(stop)) return fail("wait for the client to read: it was stopped");
  return perform_pipeline(request, resident_, this, stop);
}

Result<std::shared_ptr<Connection::Live>> Connection::make_live(const Request& request) {
  SessionOptions options;
  const auto policy = TRY(maybe_text(request, "policy"));
  options.policy = TRY(session_policy(*TRY(resident_.policy(policy.value_or("node"))),
                                      resident_.options().packages));
  options.limits = TRY(limits_of(request, options.has_own_deadline));
  options.functions = TRY(functions_of(request));
  options.files = TRY(files_of(request, may_name_files_));
  options.is_strict = TRY(flag_or(request, "strict", false));
  auto live = std::make_shared<Live>();
  live->counted = TRY(resident_.count_session());
  live->session = TRY(Session::open(resident_.rooms(), std::move(options)));
  live->last_used = Clock::now();
  return live;
}

Result<std::string> Connection::open(const Request& request) {
  TRY(refuse_others(request, {"policy", "timeout", "deadline", "memory_mb", "output_bytes",
                              "max_calls", "functions", "files", "strict"}));
  {
    const std::scoped_lock held(lock_);
    if (sessions_.size() >= kMostSessions) return bad_request("1024 sessions are open");
  }
  auto live = TRY(make_live(request));
  const std::string name = new_name();
  const std::scoped_lock held(lock_);
  sessions_.emplace(name, std::move(live));
  return "{\"session\":\"" + name + "\"}";
}

Result<std::string> Connection::run(const Request& request, const std::stop_token& stop) {
  if (!request.members.has("session") || request.members.is_null("session")) {
    TRY(refuse_others(request,
                      {"session", "code", "inputs", "prints", "policy", "timeout", "deadline",
                       "memory_mb", "output_bytes", "max_calls", "functions", "files", "strict"}));
    return run_piece(request, TRY(make_live(request)), stop);
  }
  TRY(refuse_others(request, {"session", "code", "inputs", "prints", "timeout"}));
  const std::string name = TRY(need_text(request, "session"));
  std::shared_ptr<Live> live;
  {
    const std::scoped_lock held(lock_);
    live = under_way_[request.id].queued_at;
  }
  if (!live) return bad_request("there is no session '" + name + "': it was closed, or never open");
  return run_piece(request, live, stop);
}

Result<std::string> Connection::run_piece(const Request& request, const std::shared_ptr<Live>& live,
                                          const std::stop_token& stop) {
  const std::string code = TRY(need_text(request, "code"));
  const bool has_inputs = request.members.has("inputs") && !request.members.is_null("inputs");
  PieceRun piece{.code = code};
  if (has_inputs) piece.inputs = request.members.raw("inputs");
  if (const auto seconds = TRY(maybe_number(request, "timeout", 0.001, 86'400)))
    piece.timeout_ms = whole(*seconds * 1000);
  const bool wants_prints = TRY(flag_or(request, "prints", false));
  {
    std::unique_lock held(lock_);
    changed_.wait(held, [&] {
      return stop.stop_requested() || live->is_closed || live->queue.empty() ||
             live->queue.front() == request.id;
    });
  }
  // What a client does not read takes memory, and it gets no more of it.
  if (!stream_.await_room(stop)) return fail("wait for the client to read: it was stopped");
  auto slot = resident_.slots().take(stop);
  if (!slot) return fail("wait for a slot: it was stopped");
  PieceEvents events(*this, *live, stop, request.id, wants_prints, *slot);
  {
    const std::scoped_lock held(lock_);
    UnderWay& mine = under_way_[request.id];
    if (stop.stop_requested()) return Result<std::string>(fail("begin: it was stopped"));
    if (live->is_closed) return Result<std::string>(bad_request("the session was closed"));
    mine.live = live;
    live->is_busy = true;
  }
  auto report = live->session->run(piece, events);
  events.send_prints();
  {
    const std::scoped_lock held(lock_);
    under_way_[request.id].live.reset();
    live->is_busy = false;
    live->last_used = Clock::now();
  }
  if (!report) return std::unexpected(std::move(report).error());
  return cli::piece_as_json(*report);
}

Result<std::string> Connection::close(const Request& request) {
  TRY(refuse_others(request, {"session"}));
  const std::string name = TRY(need_text(request, "session"));
  std::shared_ptr<Live> live;
  {
    const std::scoped_lock held(lock_);
    const auto found = sessions_.find(name);
    if (found == sessions_.end()) return std::string("{\"closed\":false}");
    live = std::move(found->second);
    live->is_closed = true;
    sessions_.erase(found);
    changed_.notify_all();
  }
  live->session->cancel();
  return std::string("{\"closed\":true}");
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
  std::shared_ptr<Live> live;
  {
    const std::scoped_lock held(lock_);
    const auto found = under_way_.find(request.id);
    if (found != under_way_.end()) live = found->second.live;
  }
  if (live) live->session->answer(whole(*call), std::move(result));
}

bool Connection::is_closed(const Live& live) {
  const std::scoped_lock held(lock_);
  return live.is_closed;
}

// {"id": of the request, "do": "cancel"}. Its answer comes as always, and says how it ended.
void Connection::cancel(const Request& request) {
  std::shared_ptr<Live> live;
  {
    const std::scoped_lock held(lock_);
    const auto found = under_way_.find(request.id);
    if (found == under_way_.end()) return;
    found->second.stop.request_stop();
    changed_.notify_all();
    live = found->second.live;
  }
  if (live) live->session->cancel();
}

// The client is gone, or the server ends: pieces are told to stop, and what is left is closed when
// they have.
void Connection::cancel_all() {
  std::unique_lock held(lock_);
  is_over_ = true;
  changed_.notify_all();
  for (auto& [id, request] : under_way_) {
    request.stop.request_stop();
    if (request.live) request.live->session->cancel();
  }
  changed_.wait(held, [this] { return at_work_ == 0; });
  sessions_.clear();
}

void Connection::close_idle() {
  const double idle = resident_.options().idle_seconds;
  std::unique_lock held(lock_);
  while (!is_over_) {
    changed_.wait_for(held, std::chrono::seconds(1), [this] { return is_over_; });
    if (is_over_) return;
    std::erase_if(sessions_, [&](const auto& one) {
      const std::chrono::duration<double> unused = Clock::now() - one.second->last_used;
      return !one.second->is_busy && one.second->queue.empty() && unused.count() > idle;
    });
    held.unlock();
    resident_.extractors().end_idle(std::chrono::duration<double>(std::min(idle, kCellIdle)));
    held.lock();
  }
}

}  // namespace airlock::serve
