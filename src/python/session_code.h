// Pieces of a session inside a cell: run one after the other among the same names, by
// library/airlock_session. Everything that the guest does or raises ends up in a PieceOutcome; what
// it prints goes where GuestCode::stream_output says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/piece.h"
#include "python/tree.h"

namespace airlock::python {

// How guest code reaches the functions of the one who opened the session.
class HostCalls {
 public:
  enum class Taken : std::uint8_t { kResult, kForgotten, kGone };
  struct Arrived {
    Taken how = Taken::kGone;
    std::uint32_t call = 0;
    CallResult result;
  };

  virtual ~HostCalls() = default;
  // The number of the call; nothing: too many of them, or no piece is at work. `is_waiting`: the
  // caller does nothing until its result is there.
  virtual std::optional<std::uint32_t> call(std::string_view name, std::string_view arguments,
                                            bool is_waiting) = 0;
  // Whether a result is here, or the end.
  virtual bool has_arrived() const = 0;
  // Readable when has_arrived(); for poll(). Everything else here needs the interpreter's lock.
  virtual int descriptor() const = 0;
  // The guest does nothing until a result is here; or it goes on, though there is none.
  virtual void begin_waiting() = 0;
  virtual void end_waiting() = 0;
  // The next result of any call, when has_arrived().
  virtual Arrived take() = 0;
  // Nobody waits for this one any more.
  virtual void forget(std::uint32_t call) = 0;
};

// In the zygote, once, before it makes cells: loads library/airlock_session and all that it needs.
// Whether guests may start threads is told to it.
Result<void> load_session_runtime(bool has_threads);

class SessionCode {
 public:
  // In a cell; once in a process. `calls` must outlive it.
  static Result<SessionCode> open(std::span<const HostFunction> functions,
                                  const PieceLimits& limits, HostCalls& calls);
  SessionCode(SessionCode&&) noexcept;
  SessionCode& operator=(SessionCode&&) = delete;
  SessionCode(const SessionCode&) = delete;
  SessionCode& operator=(const SessionCode&) = delete;
  ~SessionCode();

  // The str object that names the frames of the nth piece; alive until the next one is named.
  PyObject* name_piece(std::uint32_t number);
  // A signal that came a moment too late for the piece before.
  static void forget_signals();
  // `compiled` is what compile_piece() gave; `inputs` is a JSON object.
  PieceOutcome run(std::string_view compiled, std::uint32_t number, std::string_view source,
                   std::string_view inputs);

 private:
  struct State;
  explicit SessionCode(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace airlock::python
