#include "present/http/loop.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/ascii.h"

namespace airlock::http {

namespace {

// What an event belongs to; connections have numbers behind these.
constexpr std::uint64_t kOfListener = 0;
constexpr std::uint64_t kOfStop = 1;
constexpr std::uint64_t kOfBell = 2;
constexpr std::uint64_t kFirstConnection = 3;

// How often deadlines are looked at.
constexpr auto kLook = std::chrono::milliseconds(250);
// Accepted in a row before others have their turn.
constexpr int kAcceptsInARow = 64;
// Bytes to a client at once; the rest waits with its performer.
constexpr std::size_t kSentAhead = 256UL * 1024;
// Bytes that are read and thrown away of a client that was answered already.
constexpr std::size_t kMostIgnored = 16UL * 1024 * 1024;
// The client had gone before it was answered.
constexpr int kClientGone = 499;

constexpr TimePoint kNever = TimePoint::max();

bool expects_continue(const RequestHead& head) {
  return head.header("expect") != nullptr;  // the gate has let no other in
}

std::int64_t date_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void watch(int poll, int descriptor, std::uint64_t whose) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = whose;
  ::epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
}

// An address that is none of ours, for the log: the beginning. What stands behind may be the name
// of a session, with a slip of the pen.
std::string unknown_path(std::string_view path) {
  std::size_t end = 0;
  for (int segments = 0; segments < 3 && end != std::string_view::npos; ++segments)
    end = path.find('/', end + (segments > 0 ? 1 : 0));
  return end == std::string_view::npos ? std::string(path)
                                       : std::string(path.substr(0, end)) + "/…";
}

// What is performed may be anything; nothing of it ends the server.
void perform_guarded(const Route& route, const Request& request, Exchange& exchange) {
  try {
    route.perform(request, exchange);
  } catch (const std::exception& bug) {
    exchange.break_off();
    exchange.send(error_response(500, "Internal", bug.what()));
  }
}

}  // namespace

Result<std::unique_ptr<Loop>> Loop::make(Listener listener, Gate& gate, Metrics& metrics,
                                         AccessLog& log, const LoopLimits& limits) {
  Fd poll(::epoll_create1(EPOLL_CLOEXEC));
  if (!poll.is_open()) return fail_errno("wait for clients");
  auto bell = TRY(os::WakeUp::make());
  return std::unique_ptr<Loop>(
      new Loop(std::move(listener), gate, metrics, log, limits, std::move(poll), std::move(bell)));
}

Loop::Loop(Listener listener, Gate& gate, Metrics& metrics, AccessLog& log,
           const LoopLimits& limits, Fd poll, os::WakeUp news)
    : listener_(std::move(listener)),
      gate_(gate),
      metrics_(metrics),
      log_(log),
      limits_(limits),
      poll_(std::move(poll)),
      bell_(std::move(news)),
      now_(std::chrono::steady_clock::now()),
      next_id_(kFirstConnection),
      threads_(limits.under_way) {}

Loop::~Loop() = default;

void Loop::run(int stop) {
  watch(poll_.get(), listener_.descriptor(), kOfListener);
  watch(poll_.get(), stop, kOfStop);
  watch(poll_.get(), bell_.descriptor(), kOfBell);
  while (!is_over()) wait(stop);
  for (auto& [id, connection] : connections_) drop(*connection);
  forget_dropped();
}

bool Loop::is_over() const {
  return is_ending_ && ((connections_.empty() && at_work_ == 0) || now_ > end_at_);
}

int Loop::milliseconds_to_wait() const {
  if (connections_.empty() && !is_ending_ && is_listening_) return -1;
  auto until = now_ + kLook;
  if (!delayed_.empty()) until = std::min(until, delayed_.begin()->first);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now_);
  return static_cast<int>(std::max<std::int64_t>(0, left.count() + 1));
}

void Loop::wait(int stop) {
  std::array<epoll_event, 256> events{};
  const int count = ::epoll_wait(poll_.get(), events.data(), events.size(), milliseconds_to_wait());
  now_ = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.u64 == kOfListener) accept_all();
    if (event.data.u64 == kOfStop) {
      ::epoll_ctl(poll_.get(), EPOLL_CTL_DEL, stop, nullptr);
      begin_end();
    }
    if (event.data.u64 == kOfBell) bell_.clear();
    const auto found = connections_.find(event.data.u64);
    if (found != connections_.end()) heed(*found->second, event.events);
  }
  hear_news();
  look_at_clocks();
  forget_dropped();
}

void Loop::accept_all() {
  for (int i = 0; i < kAcceptsInARow; ++i) {
    if (connections_.size() - dropped_.size() >= limits_.connections && !make_room()) {
      if (const auto one_too_many = listener_.accept()) turn_away(one_too_many->socket.get());
      return;
    }
    auto accepted = listener_.accept();
    if (!accepted) {
      // Whoever waits there still waits, and would wake us at once.
      if ((errno == EMFILE || errno == ENFILE) && !make_room()) {
        ::epoll_ctl(poll_.get(), EPOLL_CTL_DEL, listener_.descriptor(), nullptr);
        is_listening_ = false;
        next_look_ = now_ + kLook;
      }
      return;
    }
    const std::uint64_t id = next_id_++;
    auto connection = std::make_unique<Connection>(id, std::move(*accepted), now_);
    connection->deadline = now_ + limits_.head;
    connection->interest = EPOLLIN;
    epoll_event event{};
    event.events = connection->interest;
    event.data.u64 = id;
    if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, connection->socket.get(), &event) != 0) continue;
    connections_.emplace(id, std::move(connection));
    ++open_;
  }
}

void Loop::turn_away(int client) {
  const Response response =
      error_response(503, "Busy", "this server has as many connections as it takes");
  const std::string text =
      head_text(response, BodyForm::kWhole, AfterThis::kClose, date_now()) + response.body;
  ::send(client, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  ::shutdown(client, SHUT_WR);
  // What is there unread when it is closed would take the answer back.
  std::array<char, 16UL * 1024> request{};
  ::recv(client, request.data(), request.size(), MSG_DONTWAIT);
  log_.write(AccessLog::request_line("-", "-", response.status, text.size(), 0));
  metrics_.count({.route = {},
                  .method = word_of(Method::kOther),
                  .status = response.status,
                  .took = {},
                  .bytes_in = 0,
                  .bytes_out = text.size()});
}

// Who has waited longest for a request, or takes longest to send it, goes: unless it has shown
// the token, which is looked at before a body is read.
bool Loop::make_room() {
  Connection* longest = nullptr;
  for (const auto& [id, connection] : connections_) {
    const bool has_token =
        connection->let_in && connection->let_in->route->access == Access::kToken;
    // Who lingers has had its answer.
    const bool waits =
        connection->stage == Stage::kReading || connection->stage == Stage::kLingering;
    if (connection->is_dropped || !waits || has_token) continue;
    if (longest == nullptr || connection->waits_since < longest->waits_since)
      longest = connection.get();
  }
  if (longest == nullptr) return false;
  drop(*longest);
  longest->socket.reset();  // its descriptor is needed now
  return true;
}

void Loop::heed(Connection& connection, std::uint32_t events) {
  if (connection.is_dropped) return;
  const bool is_gone = (events & (EPOLLERR | EPOLLHUP)) != 0;
  const bool leaves = (events & EPOLLRDHUP) != 0 &&
                      (connection.stage == Stage::kWorking || connection.stage == Stage::kDelayed);
  if (is_gone || leaves) return drop(connection);
  if ((events & EPOLLIN) != 0) {
    if (!connection.fill()) return drop(connection);
    if (connection.stage == Stage::kLingering) {
      connection.counted_body += connection.in.size();
      connection.in.clear();
      if (connection.has_ended || connection.counted_body > kMostIgnored) return drop(connection);
    }
  }
  pump(connection);
}

void Loop::hear_news() {
  std::vector<News> news;
  {
    const std::scoped_lock held(lock_);
    news.swap(news_);
  }
  for (const News& one : news) {
    if (one.is_over) {
      body_bytes_ -= one.released_bytes;
      --at_work_;
    }
    const auto found = connections_.find(one.id);
    if (found != connections_.end() && !found->second->is_dropped) pump(*found->second);
  }
}

// As far as it goes without waiting.
void Loop::pump(Connection& connection) {
  while (!connection.is_dropped) {
    const bool goes_on =
        connection.stage == Stage::kReading ? read_some(connection)
        : connection.stage == Stage::kWorking || connection.stage == Stage::kAnswering
            ? send_some(connection)
            : false;
    if (!goes_on) break;
  }
  if (!connection.is_dropped) update_interest(connection);
}

// False: there is nothing more to do before more has come.
bool Loop::read_some(Connection& connection) {
  RequestReader& reader = connection.reader;
  const bool had_begun = reader.has_begun();
  const auto taken = reader.read(connection.in);
  if (!connection.record && reader.has_begun())
    connection.record = RequestRecord{.method = "-", .path = "-", .label = {}, .began = now_};
  if (!taken) {
    refuse(connection, error_response(taken.error().status, "Usage", taken.error().message));
    return true;
  }
  connection.in.erase(0, *taken);
  if (!had_begun && reader.has_begun()) connection.deadline = now_ + limits_.head;
  if (reader.has_head() && !connection.let_in && !take_head(connection)) return true;
  if (reader.has_head()) count_body(connection);
  if (connection.stage != Stage::kReading) return true;
  if (reader.is_done()) {
    dispatch(connection);
    return true;
  }
  if (*taken > 0 && !connection.in.empty()) return true;
  if (connection.has_ended) drop(connection);  // in the middle of it, or between two
  return connection.is_dropped;
}

// False: it is turned away.
bool Loop::take_head(Connection& connection) {
  const RequestHead& head = connection.reader.head();
  auto judged = gate_.judge(head, connection.client, now_);
  connection.record =
      RequestRecord{.method = head.method_word,
                    .path = judged.label.empty() ? unknown_path(head.path) : judged.label,
                    .label = judged.label,
                    .began = connection.record->began};
  connection.closes =
      head.wants_close || is_ending_ || connection.requests + 1 >= limits_.requests_of_connection;
  if (auto* let_in = std::get_if<Gate::LetIn>(&judged.what)) {
    connection.reader.limit_body(let_in->route->most_body);
    connection.let_in = std::move(*let_in);
    connection.deadline = now_ + limits_.body;
    if (expects_continue(head) && !connection.reader.is_done() && connection.in.empty())
      connection.queue("HTTP/1.1 100 Continue\r\n\r\n");
    return connection.flush(now_) || (drop(connection), false);
  }
  auto& away = std::get<Gate::TurnedAway>(judged.what);
  if (!away.log_line.empty()) log_.write("airlock: " + away.log_line);
  if (away.answer_at && *away.answer_at > now_) {
    connection.stage = Stage::kDelayed;
    connection.deadline = kNever;
    connection.delayed = std::move(away.response);
    delayed_.emplace(*away.answer_at, connection.id);
  } else if (head.has_body()) {
    refuse(connection, std::move(away.response));
  } else {
    answer(connection, std::move(away.response));
  }
  return false;
}

void Loop::count_body(Connection& connection) {
  const std::size_t bytes = connection.reader.body_bytes();
  body_bytes_ += bytes - connection.counted_body;
  connection.counted_body = bytes;
  connection.deadline =
      std::max(connection.deadline,
               connection.record->began + limits_.body +
                   std::chrono::seconds(bytes / std::max<std::size_t>(1, limits_.body_rate)));
  if (body_bytes_ > limits_.body_bytes)
    refuse(connection,
           error_response(503, "Busy", "the requests under way are too large together"));
}

void Loop::dispatch(Connection& connection) {
  auto request = std::make_shared<Request>(connection.reader.take());
  request->captured = std::move(connection.let_in->captured);
  request->peer = connection.peer;
  connection.record->bytes_in = request->body.size();
  connection.stage = Stage::kWorking;
  connection.deadline = kNever;
  perform(connection, std::move(request));
}

void Loop::perform(Connection& connection, std::shared_ptr<Request> request) {
  const Route& route = *connection.let_in->route;
  const bool is_at_once = route.where == Where::kAtOnce;
  if (!is_at_once && at_work_ >= limits_.under_way) {
    Response busy =
        error_response(503, "Busy", "as many requests are under way as this server takes");
    busy.more.push_back({"Retry-After", "1"});
    return answer(connection, std::move(busy));
  }
  const std::uint64_t id = connection.id;
  connection.exchange = std::make_shared<Exchange>(
      request->head.method == Method::kHead ? Exchange::Body::kLeftOut : Exchange::Body::kSent,
      connection.closes ? AfterThis::kClose : AfterThis::kKeepAlive, [this, id, is_at_once] {
        if (is_at_once) return;  // we are asked next anyway
        {
          const std::scoped_lock held(lock_);
          news_.push_back({.id = id});
        }
        bell_.ring();
      });
  if (is_at_once) {
    perform_guarded(route, *request, *connection.exchange);
    connection.exchange->finish();
    return;
  }
  ++at_work_;
  const std::size_t bytes = std::exchange(connection.counted_body, 0);
  threads_.start(
      [this, id, bytes, &route, request = std::move(request), exchange = connection.exchange] {
        perform_guarded(route, *request, *exchange);
        exchange->finish();
        {
          const std::scoped_lock held(lock_);
          news_.push_back({.id = id, .released_bytes = bytes, .is_over = true});
        }
        bell_.ring();
      });
  if (connection.has_ended) drop(connection);
}

// False: the client, or the performer, is waited for.
bool Loop::send_some(Connection& connection) {
  const bool takes = connection.exchange && connection.out_bytes < kSentAhead;
  if (takes) {
    auto taken = connection.exchange->take();
    if (!taken.bytes.empty() && connection.out.empty())
      connection.deadline = now_ + std::chrono::seconds(30);
    for (std::string& one : taken.bytes) connection.queue(std::move(one));
    if (taken.status != 0) connection.record->status = taken.status;
    // Without its last chunk, and then the end: the client sees that it is not whole.
    if (taken.is_broken) connection.closes = true;
    if (taken.is_over) {
      connection.exchange.reset();
      connection.stage = Stage::kAnswering;
    }
  }
  if (!connection.flush(now_)) {
    drop(connection);
    return false;
  }
  if (connection.out.empty() && connection.stage == Stage::kWorking) {
    connection.deadline = kNever;
    return !takes;  // what waited for room can come now
  }
  if (!connection.out.empty() || connection.stage != Stage::kAnswering) return false;
  end_answer(connection);
  return true;
}

void Loop::answer(Connection& connection, Response response) {
  connection.stage = Stage::kAnswering;
  connection.deadline = now_ + std::chrono::seconds(30);
  if (connection.record) connection.record->status = response.status;
  connection.queue(head_text(response, BodyForm::kWhole,
                             connection.closes ? AfterThis::kClose : AfterThis::kKeepAlive,
                             date_now()));
  const bool has_body = !connection.record || connection.record->method != "HEAD";
  if (has_body) connection.queue(std::move(response.body));
}

// It cannot be told where the next request would begin, or nobody wants to read up to there.
void Loop::refuse(Connection& connection, Response response) {
  connection.closes = true;
  connection.in.clear();
  answer(connection, std::move(response));
}

void Loop::end_answer(Connection& connection) {
  note(connection, connection.record ? connection.record->status : 0);
  body_bytes_ -= connection.counted_body;
  const bool closes = connection.closes || is_ending_;
  connection.begin_next(now_);
  connection.deadline = now_ + limits_.idle;
  if (!closes) return;
  if (connection.has_ended) return drop(connection);
  connection.stage = Stage::kLingering;
  connection.deadline = now_ + limits_.linger;
  connection.in.clear();
  ::shutdown(connection.socket.get(), SHUT_WR);
}

// Into the log and the counts; once for each request.
void Loop::note(Connection& connection, int status) {
  if (!connection.record) return;
  const RequestRecord& record = *connection.record;
  const std::chrono::duration<double> took = now_ - record.began;
  log_.write(AccessLog::request_line(record.method, record.path, status, record.bytes_out,
                                     took.count() * 1000));
  metrics_.count({.route = record.label,
                  .method = word_of(method_of(record.method)),
                  .status = status,
                  .took = took,
                  .bytes_in = record.bytes_in,
                  .bytes_out = record.bytes_out});
  connection.record.reset();
}

void Loop::drop(Connection& connection) {
  if (connection.is_dropped) return;
  connection.is_dropped = true;
  if (connection.exchange) connection.exchange->abandon();
  note(connection, kClientGone);
  if (connection.stage != Stage::kLingering) body_bytes_ -= connection.counted_body;
  connection.counted_body = 0;
  dropped_.push_back(connection.id);
  --open_;
}

void Loop::forget_dropped() {
  for (const std::uint64_t id : dropped_) connections_.erase(id);
  dropped_.clear();
}

void Loop::update_interest(Connection& connection) {
  std::uint32_t wanted = 0;
  const bool reads = connection.stage == Stage::kReading || connection.stage == Stage::kLingering;
  if (reads && connection.has_room_in() && !connection.has_ended) wanted |= EPOLLIN;
  if (connection.stage == Stage::kWorking || connection.stage == Stage::kDelayed)
    wanted |= EPOLLRDHUP;
  if (!connection.out.empty()) wanted |= EPOLLOUT;
  if (wanted == connection.interest) return;
  connection.interest = wanted;
  epoll_event event{};
  event.events = wanted;
  event.data.u64 = connection.id;
  ::epoll_ctl(poll_.get(), EPOLL_CTL_MOD, connection.socket.get(), &event);
}

void Loop::look_at_clocks() {
  while (!delayed_.empty() && delayed_.begin()->first <= now_) {
    const auto found = connections_.find(delayed_.begin()->second);
    delayed_.erase(delayed_.begin());
    if (found == connections_.end() || found->second->is_dropped) continue;
    Connection& connection = *found->second;
    refuse(connection, std::move(*connection.delayed));
    pump(connection);
  }
  if (is_ending_ && !is_stopped_ && now_ >= stop_at_) {
    is_stopped_ = true;
    for (const auto& [id, connection] : connections_) {
      if (connection->exchange) connection->exchange->request_stop();
    }
  }
  if (now_ < next_look_) return;
  next_look_ = now_ + kLook;
  if (!is_listening_ && !is_ending_) {
    watch(poll_.get(), listener_.descriptor(), kOfListener);
    is_listening_ = true;
  }
  for (const auto& [id, one] : connections_) {
    Connection& connection = *one;
    if (connection.is_dropped || connection.deadline > now_) continue;
    if (connection.stage == Stage::kReading && connection.reader.has_begun()) {
      refuse(connection, error_response(408, "Usage", "the request did not come in time"));
      pump(connection);
    } else {
      drop(connection);
    }
  }
}

void Loop::begin_end() {
  if (is_ending_) return;
  is_ending_ = true;
  stop_at_ = now_ + limits_.grace;
  end_at_ = stop_at_ + limits_.end;
  listener_.close();
  for (const auto& [id, connection] : connections_) {
    connection->closes = true;
    if (connection->stage == Stage::kReading) drop(*connection);
  }
}

}  // namespace airlock::http
