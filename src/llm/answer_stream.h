// Reads a model's answer incrementally: bytes are cut into JSON objects here (lines of JSON, or
// server-sent events), and the provider's row (llm/providers) says what each object means.
//
// The bytes are hostile: any length, any content, split anywhere. Every buffer is bounded before it
// grows (StreamLimits), nesting is bounded by the JSON reader (bounded_json.h), nothing recurses.
// After the first StreamTrouble the stream takes nothing more. Pure: no I/O, no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "llm/providers/providers.h"

namespace airlock::llm {

// Each is far above what an extractor needs (a few KiB): they stop a server that never ends, not a
// long answer.
struct StreamLimits {
  std::size_t answer_bytes = 1024 * 1024;      // of the model's text, all pieces together
  std::size_t line_bytes = 1024 * 1024;        // of one line, and of one event
  std::size_t total_bytes = 16 * 1024 * 1024;  // of the body, with everything around the text
};

enum class StreamTrouble : std::uint8_t {
  kNone,
  kNotTheProtocol,  // prose, a web page
  kBrokenJson,
  kInvalidUtf8,
  kTooLong,
  kServerSaid,  // an error in the protocol's own form: server_words
};

// One answer: fed from the first byte to end(), then asked what came of it. Not thread-safe; the
// thread that reads the connection owns it.
class AnswerStream {
 public:
  // `provider` outlives it.
  explicit AnswerStream(const Provider& provider, StreamLimits limits = {})
      : provider_(&provider), limits_(limits) {}

  // False: nothing that follows can matter any more.
  bool feed(std::string_view bytes);
  // The server has closed: what is left counts as the last line.
  void end();

  StreamTrouble trouble() const { return trouble_; }
  bool has_ended() const { return has_ended_; }  // by the protocol's own mark
  bool was_cut() const { return was_cut_; }      // the model stopped at its own limit
  const std::string& text() const { return text_; }
  std::size_t characters() const { return characters_; }
  std::size_t total_bytes() const { return total_; }
  const std::string& server_words() const { return server_words_; }
  bool is_overloaded() const { return is_overloaded_; }  // with kServerSaid: try again later
  std::optional<std::int64_t> prompt_tokens() const { return prompt_tokens_; }
  std::optional<std::int64_t> answer_tokens() const { return answer_tokens_; }

 private:
  // All of these return what feed() returns: false once nothing that follows can matter.
  bool stop(StreamTrouble trouble);
  bool take_line(std::string_view line);
  bool take_field(std::string_view line);
  bool take_event();
  bool take_json(std::string_view json);
  bool take_object(const nlohmann::json& object);
  bool take_error(const nlohmann::json& object);
  bool add_text(std::string_view text);

  const Provider* provider_;
  StreamLimits limits_;
  StreamTrouble trouble_ = StreamTrouble::kNone;
  bool has_ended_ = false;
  bool was_cut_ = false;
  bool is_overloaded_ = false;
  bool is_document_ = false;  // one JSON object in place of events
  bool has_begun_ = false;
  std::size_t total_ = 0;
  std::size_t characters_ = 0;
  std::string line_;  // the one that is not complete yet
  std::string data_;  // of the event that is not complete yet
  std::string text_;
  std::string server_words_;
  std::optional<std::int64_t> prompt_tokens_;
  std::optional<std::int64_t> answer_tokens_;
};

}  // namespace airlock::llm
