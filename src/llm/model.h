// A language model, as the wizard and `airlock ai ask` ask it: one prompt in, one text out, or what
// went wrong and the command that mends it. What comes back is text from a stranger; nothing here
// looks inside.
//
// Models are stacked: HttpModel asks, LoggedModel records, BudgetedModel limits. Each layer keeps
// this interface, so callers see one Model; make_recorded_model() (llm/wrapped_model.h) builds the
// stack.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace airlock::llm {

struct Prompt {
  std::string system;
  std::string user;
  std::string retry = {};  // of a retry: the part of `user` that is new, which the log keeps
};

// Each has words of its own, with what to do about it.
enum class Trouble : std::uint8_t {
  kNotRunning,    // nobody listens there
  kModelMissing,  // it runs, and has no model of that name
  kUnauthorized,  // 401, 403: the key
  kRateLimited,   // 429
  kServerError,   // 5xx
  kTimeout,
  kEmptyAnswer,
  kBrokenAnswer,  // half a stream, or not the protocol
  kTooLong,       // more than we take
  kOverBudget,    // tokens or seconds are used up
  kCanceled,
  kBadSettings,
};

struct ModelFailure {
  Trouble trouble = Trouble::kNotRunning;
  std::string message;  // what happened, safe to show; no key and no answer's text in it
  std::string fix;      // the command or setting that mends it
  std::optional<std::chrono::seconds> retry_after = {};  // what the server asked for
  bool is_worth_another_try = false;                     // the same request may work in a moment
};

struct Usage {
  std::int64_t prompt_tokens = 0;
  std::int64_t answer_tokens = 0;
  bool is_estimated = false;  // the server did not say
};

struct ModelAnswer {
  std::string text;
  Usage usage;
  std::chrono::milliseconds duration{0};
  bool was_cut = false;  // the model stopped at its own limit
};

struct AskControl {
  std::stop_token stop;
  // Characters of the answer so far; called on the thread that asks. May be empty.
  std::function<void(std::size_t)> on_progress;
};

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  // "PROVIDER MODEL at ENDPOINT": for people and for the log.
  virtual std::string describe() const = 0;
  // Blocks until there is an answer or a failure; `control.stop` may be requested from any thread.
  virtual std::expected<ModelAnswer, ModelFailure> ask(const Prompt& prompt,
                                                       const AskControl& control) = 0;
};

}  // namespace airlock::llm
