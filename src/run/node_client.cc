// Who holds the clock: this side. (1) The host says when the code begins; from there its time runs.
// (2) When it is up, the host gets a signal that raises an exception in the code, also in one that
// sleeps or waits. (3) Code that is inside of a long call, or swallows the exception, is killed a
// moment later, with everything in its process group.
#include "run/node_client.h"

#include <poll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "os/interrupts.h"
#include "wire/messages.h"

namespace airlock::run {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// For what our own programs have to do.
constexpr auto kNodeHostTimeout = std::chrono::seconds(30);
// Reading inputs and code, checking types, writing results: of a hundred megabytes, on a busy
// machine.
constexpr auto kPreparation = std::chrono::seconds(120);
// To let an exception pass through the code.
constexpr auto kGrace = milliseconds(50);
// For the repr of everything that is no JSON, together.
constexpr auto kShowing = std::chrono::seconds(2);
// How often what is printed is cut: at the speed of memory, some 100 MB more than is kept.
constexpr auto kTick = milliseconds(25);

int milliseconds_of(Clock::duration time) {
  return static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<milliseconds>(time).count()));
}

using Stage = os::SharedProgress::Stage;

// The time that a node has. The host says in which stage it is and since when; how long a stage may
// last is known here.
class StageTimer {
 public:
  StageTimer(const os::SharedProgress& progress, Clock::duration timeout, Clock::duration rest)
      : progress_(&progress), timeout_(timeout), rest_(rest), started_(Clock::now()) {}

  // When to look again.
  Clock::time_point end() const {
    if (signalled_at_) return *signalled_at_ + kGrace;
    const os::SharedProgress::View now = progress_->view();
    const auto since = std::clamp(now.since, started_, Clock::now());
    switch (now.stage) {
      case Stage::kRunning:
        return since + timeout_;
      case Stage::kShowing:
        return since + kShowing;
      case Stage::kResting:
        return since + rest_ + kNodeHostTimeout;
      case Stage::kPreparing:
        break;
    }
    return since + kPreparation;
  }
  // As long as nobody knows whether the code runs already, its whole time is the longest sleep.
  Clock::duration sleep() const {
    return std::min<Clock::duration>({kTick, timeout_, end() - Clock::now()});
  }
  bool is_over() const { return Clock::now() >= end(); }
  bool was_signalled() const { return signalled_at_.has_value(); }
  void signalled() { signalled_at_ = Clock::now(); }
  // A new stage has new time.
  void update() {
    const os::SharedProgress::View now = progress_->view();
    if (signalled_at_ && (now.stage != stage_ || now.beginnings != beginnings_))
      signalled_at_.reset();
    stage_ = now.stage;
    beginnings_ = now.beginnings;
  }

 private:
  const os::SharedProgress* progress_;
  Clock::duration timeout_;
  Clock::duration rest_;  // between two attempts
  Clock::time_point started_;
  std::optional<Clock::time_point> signalled_at_;
  Stage stage_ = Stage::kPreparing;
  std::uint32_t beginnings_ = 0;
};

bool is_text(const wire::NodeDone& done) {
  return std::ranges::none_of(
      std::initializer_list<std::string_view>{done.action, done.error_type, done.result, done.error,
                                              done.output, done.error_output},
      [](std::string_view text) { return find_invalid_utf8(text).has_value(); });
}

}  // namespace

std::string text_of_output(const os::MemoryFile& file) {
  const std::size_t size = file.size();
  const std::string bytes = file.beginning(wire::kNodeOutputBytes + 1);
  if (size <= wire::kNodeOutputBytes) return replace_invalid_utf8(bytes);
  return replace_invalid_utf8(std::string(cut_utf8(bytes, wire::kNodeOutputBytes))) +
         "\n[output cut off: " + std::to_string(wire::kNodeOutputBytes) + " of " +
         std::to_string(size) + " bytes are kept]\n";
}

Result<std::unique_ptr<NodeClient>> NodeClient::start(const std::string& program,
                                                      std::string_view shared) {
  // The copies of a host become our children; see guest/node_host.cc.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  auto sockets = TRY(within("start the node host", os::make_socket_pair()));
  auto process =
      TRY(within("start the node host", os::Process::start(program, {"node"}, sockets.second,
                                                           os::ChildEnvironment::kOurs)));
  sockets.second.reset();
  Host host{std::move(process), os::Channel(std::move(sockets.first))};
  host.channel.refuse_descriptors();
  auto progress = TRY(within("start the node host", os::SharedProgress::make()));
  host.channel.send(wire::encode_start_nodes(shared), os::deadline_in(kNodeHostTimeout),
                    progress.descriptor());
  return std::unique_ptr<NodeClient>(new NodeClient(std::move(host), std::move(progress)));
}

NodeClient::~NodeClient() {
  end(checkpoint_);
  end(host_);
}

void NodeClient::end(std::optional<Host>& host) {
  if (!host) return;
  host->process.kill_group();
  host->process.wait();
  host.reset();
}

Result<std::string> NodeClient::ask(std::string_view message, std::string_view doing) {
  if (!host_) return fail(std::string(doing) + ": the node host is gone");
  if (!message.empty() && !host_->channel.send(message, os::deadline_in(kNodeHostTimeout)))
    return fail(std::string(doing) + ": the node host does not listen");
  auto answer = host_->channel.receive(wire::kMaxNodeReply, os::deadline_in(kPreparation));
  if (!answer) {
    host_->process.kill_group();
    return fail(std::string(doing) + ": the node host gave no answer (" +
                host_->process.wait().describe() + ")");
  }
  if (const auto trouble = wire::decode_trouble(*answer))
    return fail(std::string(doing) + ": " + *trouble);
  return std::move(*answer);
}

Result<void> NodeClient::await_ready() {
  const auto answer = TRY(ask("", "start the node host"));
  if (!wire::decode_ready(answer)) return fail("start the node host: it gave an odd answer");
  return {};
}

Result<void> NodeClient::put(std::string_view name, std::string_view entry) {
  TRY(ask(wire::encode_put(name, entry), "put an entry into the store"));
  return {};
}

Result<wire::ResolvedValue> NodeClient::resolve(std::string_view value) {
  const auto answer = TRY(ask(wire::encode_resolve(value), "resolve the templates"));
  auto resolved = wire::decode_value(answer);
  if (!resolved) return fail("resolve the templates: the node host gave an odd answer");
  return std::move(*resolved);
}

bool NodeClient::make_checkpoint() {
  end(checkpoint_);
  auto sockets = os::make_socket_pair();
  if (!sockets || !host_) return false;
  if (!host_->channel.send(wire::encode_checkpoint(), os::deadline_in(kNodeHostTimeout),
                           sockets->second.get()))
    return false;
  sockets->second.reset();
  os::Channel channel(std::move(sockets->first));
  channel.refuse_descriptors();
  const auto answer = channel.receive(wire::kMaxNodeReply, os::deadline_in(kNodeHostTimeout));
  const auto id = answer ? wire::decode_checkpoint_ready(*answer) : std::nullopt;
  if (!id || *id <= 1) return false;
  auto process = os::Process::adopt(static_cast<pid_t>(*id));
  if (!process) return false;
  checkpoint_ = Host{std::move(*process), std::move(channel)};
  return true;
}

bool NodeClient::restore_checkpoint() {
  end(host_);
  std::swap(host_, checkpoint_);
  return host_.has_value();
}

Result<NodeClient::Output> NodeClient::make_output() {
  auto output = TRY(os::MemoryFile::make("stdout"));
  auto error_output = TRY(os::MemoryFile::make("stderr"));
  return Output{std::move(output), std::move(error_output)};
}

std::expected<void, LostNode> NodeClient::send_node(const wire::NodeRequest& request) {
  if (!spare_output_) {
    auto made = make_output();
    if (!made)
      return std::unexpected(
          LostNode{.why = LostNode::Why::kTrouble, .trouble = std::move(made).error().message});
    spare_output_.emplace(std::move(*made));
  }
  const std::array descriptors = {spare_output_->output.descriptor(),
                                  spare_output_->error_output.descriptor()};
  if (!host_ || !host_->channel.send(wire::encode_node(request), os::deadline_in(kNodeHostTimeout),
                                     descriptors))
    return std::unexpected(end_lost_host(LostNode::Why::kGone, nullptr));
  last_output_ = std::exchange(spare_output_, std::nullopt);
  if (auto made = make_output()) spare_output_.emplace(std::move(*made));
  return {};
}

std::expected<wire::NodeDone, LostNode::Why> NodeClient::receive_done() {
  const auto message =
      host_->channel.receive(wire::kMaxNodeReply, os::deadline_in(kNodeHostTimeout));
  if (!message)
    return std::unexpected(host_->process.has_ended_within(milliseconds(500))
                               ? LostNode::Why::kEnded
                               : LostNode::Why::kGarbled);
  if (auto trouble = wire::decode_trouble(*message)) {
    trouble_ = std::move(*trouble);
    return std::unexpected(LostNode::Why::kHostDamaged);
  }
  auto done = wire::decode_done(*message);
  if (!done || !is_text(*done)) return std::unexpected(LostNode::Why::kGarbled);
  return std::move(*done);
}

std::expected<wire::NodeDone, LostNode::Why> NodeClient::await_done(const Output& output,
                                                                    milliseconds timeout,
                                                                    milliseconds rest) {
  StageTimer watch(progress_, timeout, rest);
  while (true) {
    if (os::pending_interrupt()) return std::unexpected(LostNode::Why::kInterrupted);
    watch.update();
    std::array ends = {pollfd{host_->channel.descriptor(), POLLIN, 0},
                       pollfd{host_->process.handle(), POLLIN, 0}};
    if (::poll(ends.data(), ends.size(), milliseconds_of(watch.sleep())) < 0) continue;
    if (ends[0].revents != 0) {
      // The host answers when the code has ended. Before that it is the code that writes.
      const bool is_running = progress_.view().stage == Stage::kRunning;
      if (is_running && (ends[0].revents & POLLHUP) == 0)
        return std::unexpected(LostNode::Why::kGarbled);
      return receive_done();
    }
    if (ends[1].revents != 0) return std::unexpected(LostNode::Why::kEnded);
    if (watch.is_over()) {
      if (watch.was_signalled()) return std::unexpected(LostNode::Why::kTimedOut);
      host_->process.signal(wire::timeout_signal());
      watch.signalled();
    }
    output.output.forget_after(wire::kNodeOutputBytes + 4096);
    output.error_output.forget_after(wire::kNodeOutputBytes + 4096);
  }
}

LostNode NodeClient::end_lost_host(LostNode::Why why, const Output* output) {
  LostNode lost{.why = why, .stage = progress_.view().stage};
  if (host_) {
    host_->process.kill_group();
    lost.status = host_->process.wait();
    host_.reset();
  }
  if (output == nullptr) return lost;
  lost.output = text_of_output(output->output);
  lost.error_output = text_of_output(output->error_output);
  return lost;
}

// Nobody has asked for anything: what is there was written by the node before.
bool NodeClient::has_unsolicited_message() {
  if (!host_) return false;
  pollfd end{host_->channel.descriptor(), POLLIN, 0};
  return ::poll(&end, 1, 0) > 0 && (end.revents & POLLIN) != 0 &&
         !host_->process.has_ended_within(milliseconds(0));
}

std::expected<wire::NodeDone, LostNode> NodeClient::run(const wire::NodeRequest& request,
                                                        milliseconds timeout) {
  if (has_unsolicited_message())
    return std::unexpected(end_lost_host(LostNode::Why::kGarbled, nullptr));
  progress_.clear();
  TRY(send_node(request));
  auto done = await_done(*last_output_, timeout, milliseconds(request.wait_ms));
  if (done) return std::move(*done);
  LostNode lost = end_lost_host(done.error(), &*last_output_);
  lost.attempts = progress_.view().beginnings;
  lost.trouble = trouble_;
  return std::unexpected(std::move(lost));
}

}  // namespace airlock::run
