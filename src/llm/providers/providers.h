// The one table of the providers of models. What is particular to a provider stands in its row: its
// name, where it is, how it is asked and how it answers, and what mends it. Each row is a file of
// its own beside this one; everything else (settings, commands, messages) asks the table.
//
// The functions of a row are pure. What `read` is given comes from a stranger: it is JSON, bounded
// in size and depth, and nothing more is known of it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/endpoint.h"
#include "llm/model.h"

namespace airlock::llm {

// Servers that are compatible are not the same: what one does not take is learnt from its refusal.
struct Dialect {
  bool says_completion_tokens = false;  // max_completion_tokens in place of max_tokens
  bool has_stream_options = true;       // asks for the usage at the end of a stream
};

struct Question {
  const std::string& model;
  const Prompt& prompt;
  std::int64_t max_tokens = 0;
  Dialect dialect = {};
};

// How the objects of an answer are told apart.
enum class Framing : std::uint8_t {
  kLines,   // one JSON object a line
  kEvents,  // server-sent events, or one JSON object from a server that does not stream
};

// What may follow in the same answer.
enum class Following : std::uint8_t {
  kMore,    // text
  kCounts,  // the answer is whole; how many tokens it took may still come
  kNothing,
};

// What one JSON object of an answer says.
struct AnswerPiece {
  std::string text = {};
  Following following = Following::kMore;
  std::optional<bool> was_cut = {};  // the model stopped at its own limit
  std::optional<std::int64_t> prompt_tokens = {};
  std::optional<std::int64_t> answer_tokens = {};
};

// What mends a server that the user runs.
struct OwnServer {
  std::string_view start;  // the command that starts it
  std::string_view fetch;  // the command that gets a model; the model's name follows
  std::string_view log;    // where it says what ails it
};

// Where in a list of models their names stand: {"models": [{"name": …}]}.
struct ModelList {
  std::string_view list = "data";
  std::string_view name = "id";
};

struct Provider {
  // ---- for people
  std::string_view name;    // in config.toml, in flags and in the log: "ollama"
  std::string_view remark;  // what a list of providers adds in brackets; maybe empty
  std::string_view example_model;
  std::optional<OwnServer> own_server;  // nothing: it is a service of somebody else's

  // ---- where
  std::string_view endpoint;  // unless the settings say otherwise
  // The variable that usually holds the key. It counts for `endpoint` alone: a key is never sent to
  // another server unasked. Empty: none.
  std::string_view key_variable;

  // ---- how it is asked
  std::string (*question_url)(const Endpoint& endpoint) = nullptr;
  std::string (*models_url)(const Endpoint& endpoint) = nullptr;  // where it lists its models
  std::string_view key_header;                                    // all of it but the key
  std::string_view other_header;                                  // sent always; empty: none
  nlohmann::ordered_json (*question)(const Question& question) = nullptr;
  // True: the refusal (400) is about a field that can be put differently, and now is. Null: every
  // server of this provider speaks alike.
  bool (*learn)(Dialect& dialect, std::string_view refusal) = nullptr;
  ModelList model_list = {};
  bool must_list_models = true;  // false: a server without a list is as good
  std::string_view usual_tag;    // what a model's name without a tag means: ":latest"; maybe empty

  // ---- how it answers
  Framing framing = Framing::kEvents;
  std::string_view end_mark;  // an event that is no JSON and ends the answer; empty: none
  // Nothing: this is not its protocol.
  std::optional<AnswerPiece> (*read)(const nlohmann::json& object) = nullptr;
  bool errors_have_kinds = true;  // false: any error may be gone in a moment
};

// ---- the rows, one file each
namespace providers {
extern const Provider kOllama;
extern const Provider kOpenai;
extern const Provider kAnthropic;

// In the order in which people are shown them.
inline constexpr std::array kAll = {&kOllama, &kOpenai, &kAnthropic};
}  // namespace providers

// The word for no provider at all, wherever a provider's name may stand.
inline constexpr std::string_view kDisabled = "disabled";

// Null is kDisabled.
std::string_view name_of(const Provider* provider);
// Null: there is none of that name; kDisabled is none.
const Provider* find_provider(std::string_view name);
// kDisabled, and then all names.
std::vector<std::string_view> provider_choices();

// "a, b or c"
std::string one_of(const std::vector<std::string_view>& words);

}  // namespace airlock::llm
