#include "engine/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "admit/json_members.h"
#include "base/ascii.h"
#include "engine/load/read_answer.h"
#include "engine/session/session_files.h"
#include "jail/cell_filter.h"
#include "model/rule.h"

namespace airlock {

namespace {

// What comes from outside: "of at most 8 MiB and 64 levels".
std::string bounds_in_words(const PieceLimits& limits) {
  return fmt::format("of at most {} MiB and {} levels", limits.call_bytes / (1024 * 1024),
                     limits.depth);
}

using SessionClock = std::chrono::steady_clock;

double milliseconds_since(SessionClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SessionClock::now() - start).count();
}

bool is_syntax(const Finding& finding) {
  return finding.rule->code == RuleCode::kSyntaxError ||
         finding.rule->code == RuleCode::kIndentation;
}

// As Python prints it.
std::string syntax_traceback(const Finding& finding, std::string_view code, std::uint32_t number) {
  std::size_t start = 0;
  for (std::uint32_t line = 1; line < finding.place.line; ++line) {
    const std::size_t end = code.find('\n', start);
    if (end == std::string_view::npos) break;
    start = end + 1;
  }
  const std::string_view line = code.substr(start, code.find('\n', start) - start);
  const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  std::string out = "  piece " + std::to_string(number) + ", line " +
                    std::to_string(finding.place.line) + "\n    " +
                    std::string(line.substr(indent)) + "\n";
  if (finding.place.column >= indent && finding.place.column <= line.size())
    out += "    " + std::string(finding.place.column - indent, ' ') + "^\n";
  return out + finding.item + ": " + finding.message + "\n";
}

// A piece that was not run: the parser's own words, or what the door found.
void explain_refusal(const Verdict& verdict, std::string_view code, PieceReport& report) {
  const auto wrong = std::ranges::find(verdict.findings, Severity::kError, &Finding::severity);
  report.findings = verdict.findings;
  if (wrong == verdict.findings.end()) {
    report.end = PieceEnd::kRefused;
    report.error = {"Refused", "The piece was refused"};
    return;
  }
  report.line = wrong->place.line;
  if (is_syntax(*wrong)) {
    report.end = PieceEnd::kRaised;
    report.error = {wrong->item, wrong->message};
    report.traceback = syntax_traceback(*wrong, code, report.number);
    return;
  }
  report.end = PieceEnd::kRefused;
  report.error = {"Refused", wrong->message};
}

// An exception in a piece to which something was denied: of the line that asked for it, or in the
// words that the kernel has for it.
bool is_work_of_denial(const PieceReport& report) {
  const auto asked_here = [&](const DeniedCall& denial) {
    return denial.line != 0 && denial.line == report.line;
  };
  return !report.denials.empty() && ((report.error.type == "PermissionError" &&
                                      report.error.message.starts_with("[Errno 1]")) ||
                                     std::ranges::any_of(report.denials, asked_here));
}

// Letters, digits and underscores, not a digit first. Letters of other alphabets are left to
// Python.
bool is_identifier(std::string_view name) {
  const auto is_part = [](char one) {
    return is_alnum(one) || one == '_' || (static_cast<unsigned char>(one) & 0x80) != 0;
  };
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_part);
}

// What no function can be called, as Python's parser has it.
constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

Result<void> check_functions(const std::vector<HostFunction>& functions) {
  std::set<std::string_view> names;
  for (const HostFunction& function : functions) {
    if (!is_identifier(function.name) ||
        std::ranges::find(kKeywords, function.name) != kKeywords.end())
      return bad_request("'" + function.name + "' is no name for a function");
    if (!names.insert(function.name).second)
      return bad_request("there are two functions called '" + function.name + "'");
  }
  return {};
}

}  // namespace

// What happens while one piece runs: keeps what was printed, judges calls, and passes both on.
class Session::Listening final : public run::PieceListener {
 public:
  Listening(Session& session, PieceReport& report, const PieceLimits& limits,
            SessionListener& listener)
      : session_(session), report_(report), door_(limits), listener_(listener) {}

  void printed(OutputStream stream, std::string_view text) override {
    (stream == OutputStream::kOutput ? report_.output : report_.error_output) += text;
    listener_.printed(stream, text);
  }

  void called(RawCall raw) override {
    const std::uint32_t number = raw.number();
    auto call = door_.judge(std::move(raw), session_.options_.functions);
    {
      const std::scoped_lock held(lock_);
      under_way_[number] = {report_.calls.size(), SessionClock::now()};
      report_.calls.push_back(
          {.name = call ? call->name : "", .milliseconds = 0, .ended = "unanswered"});
    }
    if (call) return listener_.called(*call);
    const Failure& wrong = call.error();
    session_.answer(
        number, {.success = false, .value = {}, .error_type = wrong.type, .error = wrong.message});
  }

  void began_waiting() override { listener_.began_waiting(); }
  bool may_go_on() override { return listener_.may_go_on(); }

  // On any thread. What is no JSON value is an error of the one who answers, told to the guest.
  // Nothing: no such call is under way.
  std::optional<CallResult> judge_result(std::uint32_t number, CallResult result) {
    const std::scoped_lock held(lock_);
    const auto found = under_way_.find(number);
    if (found == under_way_.end()) return std::nullopt;
    if (result.success && !door_of_results_.is_value(result.value))
      result = {.success = false,
                .value = {},
                .error_type = "TypeError",
                .error = "what the host function returned is not JSON " +
                         bounds_in_words(session_.options_.limits)};
    CallRecord& record = report_.calls[found->second.index];
    record.milliseconds = milliseconds_since(found->second.start);
    record.ended = result.success ? "returned" : "raised";
    under_way_.erase(found);
    return result;
  }

  // The piece is over: those that nobody has answered say so.
  void finish() {
    const std::scoped_lock held(lock_);
    for (const auto& [number, call] : under_way_)
      report_.calls[call.index].milliseconds = milliseconds_since(call.start);
    under_way_.clear();
  }

 private:
  struct UnderWay {
    std::size_t index = 0;
    SessionClock::time_point start;
  };

  Session& session_;
  PieceReport& report_;
  PieceDoor door_;
  SessionListener& listener_;
  std::mutex lock_;  // of the calls
  PieceDoor door_of_results_{session_.options_.limits};
  std::map<std::uint32_t, UnderWay> under_way_;
};

Result<std::unique_ptr<Session>> Session::open(Rooms& rooms, SessionOptions options) {
  if (!options.policy.has_grant(kAnyPython))
    return bad_request(
        "the policy '" + options.policy.name +
        "' cannot hold a session: it takes one that grants any_python, as 'node' does");
  TRY(check_functions(options.functions));
  if (std::ranges::find(options.policy.preloaded, kSessionRuntime) ==
      options.policy.preloaded.end())
    options.policy.preloaded.insert(options.policy.preloaded.begin(), std::string(kSessionRuntime));
  std::unique_ptr<Session> session(new Session(rooms, std::move(options)));
  TRY(session->get_cell());
  return session;
}

Result<void> Session::get_cell() {
  if (cell_) return {};
  // As they are now: a file that was saved anew is another one under the same name.
  // A link in its place leads elsewhere, and is not followed.
  for (SessionFile& file : options_.files) {
    auto found = TRY(find_session_file(file.name, file.path));
    if (found.path != file.path)
      return bad_request("/data/" + file.name + ": " + file.path + " has become a link");
    file = std::move(found);
  }
  auto opened = TRY(
      rooms_.open_session(options_.policy, options_.limits, options_.functions, options_.files));
  walls_ = opened.cell->walls();
  const std::scoped_lock held(lock_);
  artifacts_ = {};
  chamber_ = std::move(opened.chamber);
  cell_ = std::move(opened.cell);
  return {};
}

// Nothing moves in /out meanwhile: between two pieces the cell is stopped.
void Session::read_artifacts(PieceReport& report) {
  const int folder = cell_ ? cell_->out_folder() : -1;
  if (folder < 0 || ArtifactReader::is_empty(folder)) return;
  if (cell_->is_stopped()) {
    report.harvest = artifacts_.read(folder, {});
  } else {
    report.harvest.left_out.emplace_back("/out: the cell could not be stopped");
  }
}

void Session::answer(std::uint32_t call, CallResult result) {
  const std::scoped_lock held(lock_);
  if (listening_ == nullptr || !cell_) return;
  if (auto judged = listening_->judge_result(call, std::move(result)))
    cell_->answer(call, std::move(*judged));
}

void Session::cancel() {
  const std::scoped_lock held(lock_);
  is_cancelled_ = is_at_work_;
  if (is_cancelled_ && listening_ != nullptr) cell_->cancel();
}

bool Session::is_cancelled() {
  const std::scoped_lock held(lock_);
  return is_cancelled_;
}

namespace {

bool has_counting_denial(std::span<const Denial> denials) {
  return !std::ranges::all_of(denials, &Denial::is_of_import);
}

}  // namespace

// A cell that was killed, or an exception, as one of the ends of a piece.
void Session::explain(PieceAnswer answer, const PieceLimits& limits, PieceReport& report) {
  for (const Denial& denial : answer.denials)
    report.denials.push_back({jail::call_name(denial.call), denial.line});
  report.line = answer.line;
  report.milliseconds = answer.milliseconds;
  if (answer.ending) {
    const RunLimits times{.timeout_ms = limits.timeout_ms};
    report.error = describe_cause(*answer.ending, times);
    report.end = PieceEnd::kCrashed;
    if (const auto* late = std::get_if<TimedOut>(&*answer.ending)) {
      report.end = late->was_deadline ? PieceEnd::kDeadline : PieceEnd::kTimeout;
      if (late->was_deadline)
        report.error = {"TimeoutError",
                        fmt::format("The piece was ended after its deadline of {:g} s",
                                    limits.deadline_ms / 1000.0)};
    }
    if (std::holds_alternative<Cancelled>(*answer.ending)) report.end = PieceEnd::kCancelled;
    if (const auto* crash = std::get_if<Crashed>(&*answer.ending)) report.signal = crash->signal;
    // Unless it was ended because of them, denied calls are listed only: the guest went on.
    const bool was_flood = std::holds_alternative<Flooded>(*answer.ending);
    if (was_flood || (options_.is_strict && has_counting_denial(answer.denials))) {
      report.error = describe_violation(answer.denials, report.error);
      report.end = PieceEnd::kViolation;
      if (!answer.denials.empty()) report.line = answer.denials[0].line;
    }
    return;
  }
  report.value = std::move(answer.value);
  report.shown = std::move(answer.shown);
  report.error = std::move(answer.failure);
  report.traceback = std::move(answer.traceback);
  if (answer.success) {
    report.end = PieceEnd::kDone;
  } else if (report.error.type == "OutputLimitError" &&
             report.output.size() + report.error_output.size() >= limits.output_bytes) {
    report.end = PieceEnd::kOutput;
    report.error.message =
        "More than " + std::to_string(limits.flood_bytes / (1024 * 1024)) + " MiB were printed";
  } else if (report.error.type == "MemoryError") {
    report.end = PieceEnd::kMemory;
  } else if (report.error.type == "KeyboardInterrupt" && is_cancelled()) {
    report.end = PieceEnd::kCancelled;
  } else {
    report.end = PieceEnd::kRaised;
  }
  const bool ended_by_denial = report.end == PieceEnd::kRaised && is_work_of_denial(report);
  if (ended_by_denial || (options_.is_strict && has_counting_denial(answer.denials))) {
    report.error = describe_violation(answer.denials, report.error);
    report.end = PieceEnd::kViolation;
    report.value.reset();
    report.shown.reset();
  }
}

// For one run(): from here on cancel() is heard.
class Session::AtWork {
 public:
  AtWork(Session& session, SessionListener& listener) : session_(session) {
    set(true);
    if (listener.is_cancelled()) session_.cancel();
  }
  ~AtWork() { set(false); }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  void set(bool is_at_work) {
    const std::scoped_lock held(session_.lock_);
    session_.is_at_work_ = is_at_work;
    session_.is_cancelled_ = false;
  }
  Session& session_;
};

Result<PieceReport> Session::run(const PieceRun& piece, SessionListener& listener) {
  const AtWork at_work(*this, listener);
  PieceReport report;
  report.number = pieces_ + 1;
  if (!piece.is_aside) pieces_ = report.number;
  // Told until a piece has run: one that is refused is not the last to hear of it.
  report.state_lost = has_lost_state_;
  PieceLimits limits = options_.limits;
  if (piece.timeout_ms) limits.timeout_ms = *piece.timeout_ms;
  if (!options_.has_own_deadline)
    limits.deadline_ms = std::max(limits.deadline_ms, limits.timeout_ms);
  if (!PieceDoor(limits).is_object(piece.inputs))
    return bad_request(fmt::format("the inputs are not a JSON object {}", bounds_in_words(limits)));
  if (const auto names = piece.inputs.contains("__builtins__")
                             ? JsonMembers::read(piece.inputs, limits.depth + 2)
                             : std::nullopt;
      names && names->has("__builtins__"))
    return bad_request("the inputs may not be called '__builtins__': all names stand on it");
  const auto screened = TRY(rooms_.screen(
      options_.policy, piece.code, run::Screening::of_piece(report.number), TextKind::kPiece));
  if (!screened.code) {
    explain_refusal(screened.verdict, piece.code, report);
    return report;
  }
  TRY(get_cell());
  Listening listening(*this, report, limits, listener);
  {
    const std::scoped_lock held(lock_);
    if (is_cancelled_) {
      report.end = PieceEnd::kCancelled;
      report.error = {"KeyboardInterrupt", "It was cancelled before it ran"};
      return report;
    }
    listening_ = &listening;
  }
  if (!piece.is_aside) has_lost_state_ = false;
  const auto start = SessionClock::now();
  RawPiece said = cell_->run({.code = *screened.code,
                              .number = report.number,
                              .source = screened.verdict.code,
                              .inputs = piece.inputs},
                             limits, listening);
  const std::optional<Error> trouble = cell_->trouble();
  PieceAnswer answer = PieceDoor(limits).judge(std::move(said));
  const bool is_over = answer.ending.has_value();
  {
    const std::scoped_lock held(lock_);
    listening_ = nullptr;
    if (is_over) cell_.reset();
  }
  listening.finish();
  report.was_killed = is_over;
  if (is_over) has_lost_state_ = report.state_lost = true;
  explain(std::move(answer), limits, report);
  if (!is_over && !piece.is_aside) read_artifacts(report);
  // The chamber itself was ended, and this cell with it: not by the guest.
  if (trouble) report.error = {"CrashError", trouble->message};
  report.milliseconds = milliseconds_since(start);
  return report;
}

}  // namespace airlock
