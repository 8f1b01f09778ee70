#include "llm/answer_stream.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "llm/bounded_json.h"

namespace airlock::llm {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostTokens = 1'000'000'000;

// A count that a server gives; nothing when it is none, or absurd.
std::optional<std::int64_t> count_in(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMostTokens})
    return std::nullopt;
  const auto count = value.get<std::int64_t>();
  return count < 0 || count > kMostTokens ? std::nullopt : std::optional(count);
}

void take_count(std::optional<std::int64_t>& into, const Json& value) {
  if (const auto count = count_in(value)) into = count;
}

const Json& first_of(const Json& list) {
  static const Json null;
  return list.is_array() && !list.empty() ? list.front() : null;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

// What one JSON object means, for each provider. True: go on.
struct AnswerStream::Event {
  AnswerStream& stream;
  const Json& json;

  bool take() const {
    if (!json.is_object()) return stream.stop(StreamTrouble::kNotTheProtocol);
    if (!member(json, "error").is_null()) return take_error();
    switch (stream.provider_) {
      case Provider::kOllama:
        return take_ollama();
      case Provider::kAnthropic:
        return take_anthropic();
      case Provider::kOpenai:
      case Provider::kDisabled:
        return take_openai();
    }
    return false;
  }

  bool take_error() const {
    stream.server_words_ = error_words(json);
    const Json& error = member(json, "error");
    for (const char* name : {"type", "code"}) {
      const auto kind = text_in(member(error, name)).value_or("");
      if (kind.contains("overloaded") || kind.contains("rate_limit") ||
          kind.contains("api_error") || kind.contains("server_error"))
        stream.is_overloaded_ = true;
    }
    return stream.stop(StreamTrouble::kServerSaid);
  }

  bool add(const Json& value) const {
    const auto text = text_in(value);
    return !text || stream.add_text(*text);
  }

  // {"message": {"content": "…"}, "done": false} … {"done": true, "eval_count": 12, …}
  bool take_ollama() const {
    const Json& done = member(json, "done");
    const Json& message = member(json, "message");
    if (!done.is_boolean() && !message.is_object())
      return stream.stop(StreamTrouble::kNotTheProtocol);
    if (!add(member(message, "content"))) return false;
    if (!done.is_boolean() || !done.get<bool>()) return true;
    take_count(stream.prompt_tokens_, member(json, "prompt_eval_count"));
    take_count(stream.answer_tokens_, member(json, "eval_count"));
    stream.was_cut_ = text_in(member(json, "done_reason")) == "length";
    stream.has_ended_ = true;
    return false;
  }

  // {"choices": [{"delta": {"content": "…"}, "finish_reason": null}], "usage": null}
  bool take_openai() const {
    const Json& choices = member(json, "choices");
    if (!choices.is_array()) return stream.stop(StreamTrouble::kNotTheProtocol);
    const Json& choice = first_of(choices);
    if (!add(member(member(choice, "delta"), "content")) ||
        !add(member(member(choice, "message"), "content")))
      return false;
    const auto reason = text_in(member(choice, "finish_reason"));
    if (reason && !reason->empty()) {  // some servers say "" as long as it goes on
      stream.has_ended_ = true;        // some servers send no [DONE]; the usage may still follow
      stream.was_cut_ = reason == "length";
    }
    const Json& usage = member(json, "usage");
    take_count(stream.prompt_tokens_, member(usage, "prompt_tokens"));
    take_count(stream.answer_tokens_, member(usage, "completion_tokens"));
    return true;
  }

  // {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "…"}} and others
  bool take_anthropic() const {
    const auto type = text_in(member(json, "type"));
    if (!type) return stream.stop(StreamTrouble::kNotTheProtocol);
    if (*type == "message_start") take_usage(member(member(json, "message"), "usage"));
    if (*type == "content_block_start") return add(member(member(json, "content_block"), "text"));
    if (*type == "content_block_delta") return add(member(member(json, "delta"), "text"));
    if (*type == "message_delta") {
      take_usage(member(json, "usage"));
      take_reason(member(member(json, "delta"), "stop_reason"));
    }
    if (*type == "message") return take_message();
    if (*type != "message_stop") return true;
    stream.has_ended_ = true;
    return false;
  }

  // The whole answer at once, from a server that does not stream.
  bool take_message() const {
    const Json& content = member(json, "content");
    if (!content.is_array()) return stream.stop(StreamTrouble::kNotTheProtocol);
    for (const Json& block : content)
      if (!add(member(block, "text"))) return false;
    take_usage(member(json, "usage"));
    take_reason(member(json, "stop_reason"));
    stream.has_ended_ = true;
    return false;
  }

  void take_usage(const Json& usage) const {
    take_count(stream.prompt_tokens_, member(usage, "input_tokens"));
    take_count(stream.answer_tokens_, member(usage, "output_tokens"));
  }

  void take_reason(const Json& reason) const {
    if (text_in(reason) == "max_tokens") stream.was_cut_ = true;
  }
};

bool AnswerStream::stop(StreamTrouble trouble) {
  trouble_ = trouble;
  return false;
}

bool AnswerStream::feed(std::string_view bytes) {
  if (trouble_ != StreamTrouble::kNone) return false;
  total_ += bytes.size();
  if (total_ > limits_.total_bytes) return stop(StreamTrouble::kTooLong);
  if (!has_begun_) {
    const auto first = std::ranges::find_if_not(bytes, is_blank);
    bytes.remove_prefix(static_cast<std::size_t>(first - bytes.begin()));
    if (bytes.empty()) return true;
    has_begun_ = true;
    is_document_ = provider_ != Provider::kOllama && bytes.front() == '{';
  }
  while (!bytes.empty()) {
    const std::size_t end = is_document_ ? std::string_view::npos : bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + part.size() > limits_.line_bytes) return stop(StreamTrouble::kTooLong);
    line_ += part;
    if (end == std::string_view::npos) return true;
    bytes.remove_prefix(end + 1);
    const std::string line = std::exchange(line_, {});
    if (!take_line(line)) return false;
  }
  return true;
}

void AnswerStream::end() {
  if (trouble_ != StreamTrouble::kNone || has_ended_) return;
  const bool is_under_way = !text_.empty() || is_document_;
  const std::string line = std::exchange(line_, {});
  if (is_document_) {
    take_json(line);
  } else if (take_line(line) && !data_.empty()) {
    take_event();
  }
  // A last line that cannot be read is half of one: the answer broke off.
  const bool is_half = trouble_ == StreamTrouble::kBrokenJson ||
                       trouble_ == StreamTrouble::kInvalidUtf8 ||
                       trouble_ == StreamTrouble::kNotTheProtocol;
  if (is_under_way && is_half) trouble_ = StreamTrouble::kNone;
}

bool AnswerStream::take_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (find_invalid_utf8(line)) return stop(StreamTrouble::kInvalidUtf8);
  if (provider_ != Provider::kOllama) return take_field(line);
  return std::ranges::all_of(line, is_blank) || take_json(line);
}

// One line of an event: a field, a remark, or nothing, which ends the event.
bool AnswerStream::take_field(std::string_view line) {
  if (line.empty()) return data_.empty() || take_event();
  if (line.starts_with(':')) return true;
  const std::string_view name = line.substr(0, line.find(':'));
  if (name == "event" || name == "id" || name == "retry") return true;
  if (name != "data") return stop(StreamTrouble::kNotTheProtocol);
  line.remove_prefix(std::min(line.size(), name.size() + 1));
  if (line.starts_with(' ')) line.remove_prefix(1);
  if (data_.size() + line.size() + 1 > limits_.line_bytes) return stop(StreamTrouble::kTooLong);
  if (!data_.empty()) data_ += '\n';
  data_ += line;
  return true;
}

bool AnswerStream::take_event() {
  const std::string data = std::exchange(data_, {});
  if (provider_ == Provider::kOpenai && data == "[DONE]") {
    has_ended_ = true;
    return false;
  }
  return take_json(data);
}

bool AnswerStream::take_json(std::string_view json) {
  if (find_invalid_utf8(json)) return stop(StreamTrouble::kInvalidUtf8);
  const auto first = std::ranges::find_if_not(json, is_blank);
  if (first == json.end()) return true;
  if (*first != '{') return stop(StreamTrouble::kNotTheProtocol);
  const auto value = parse_bounded(json);
  if (!value) return stop(StreamTrouble::kBrokenJson);
  return Event{*this, *value}.take();
}

bool AnswerStream::add_text(std::string_view text) {
  if (text_.size() + text.size() > limits_.answer_bytes) return stop(StreamTrouble::kTooLong);
  text_ += text;
  characters_ += count_code_points(text);
  return true;
}

}  // namespace airlock::llm
