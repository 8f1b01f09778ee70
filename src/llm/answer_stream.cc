#include "llm/answer_stream.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "llm/bounded_json.h"

namespace airlock::llm {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

bool AnswerStream::stop(StreamTrouble trouble) {
  trouble_ = trouble;
  return false;
}

bool AnswerStream::feed(std::string_view bytes) {
  if (trouble_ != StreamTrouble::kNone) return false;
  total_ += bytes.size();
  if (total_ > limits_.total_bytes) return stop(StreamTrouble::kTooLong);
  if (!has_begun_) {
    // A server that cannot stream answers with one JSON object where events were asked for. It is
    // known by its first character: a line of an event never begins with '{'.
    const auto first = std::ranges::find_if_not(bytes, is_blank);
    bytes.remove_prefix(static_cast<std::size_t>(first - bytes.begin()));
    if (bytes.empty()) return true;
    has_begun_ = true;
    is_document_ = provider_->framing == Framing::kEvents && bytes.front() == '{';
  }
  while (!bytes.empty()) {
    // A document may hold line breaks, so it is collected whole; everything else goes line by line.
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
  if (provider_->framing == Framing::kEvents) return take_field(line);
  return std::ranges::all_of(line, is_blank) || take_json(line);
}

// One line of an event: a field, a remark, or nothing, which ends the event.
bool AnswerStream::take_field(std::string_view line) {
  if (line.empty()) return data_.empty() || take_event();
  if (line.starts_with(':'))
    return true;  // a remark, which servers send to keep the connection open
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

// The data of an event: JSON, or the provider's end mark ("[DONE]"), which is none.
bool AnswerStream::take_event() {
  const std::string data = std::exchange(data_, {});
  if (!provider_->end_mark.empty() && data == provider_->end_mark) {
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
  return take_object(*value);
}

// An "error" member is looked for first: every provider reports trouble in the middle of a stream
// that way, and with status 200.
bool AnswerStream::take_object(const nlohmann::json& object) {
  if (!object.is_object()) return stop(StreamTrouble::kNotTheProtocol);
  if (!member(object, "error").is_null()) return take_error(object);
  const auto piece = provider_->read(object);
  if (!piece) return stop(StreamTrouble::kNotTheProtocol);
  if (!add_text(piece->text)) return false;
  // Counts may come in several pieces, or twice: the last one is of the whole answer.
  if (piece->prompt_tokens) prompt_tokens_ = piece->prompt_tokens;
  if (piece->answer_tokens) answer_tokens_ = piece->answer_tokens;
  if (piece->was_cut) was_cut_ = *piece->was_cut;
  if (piece->following != Following::kMore) has_ended_ = true;
  return piece->following != Following::kNothing;
}

// Notes the server's words, and whether it named a kind of error that passes by itself.
bool AnswerStream::take_error(const nlohmann::json& object) {
  server_words_ = error_words(object);
  const nlohmann::json& error = member(object, "error");
  for (const char* name : {"type", "code"}) {
    const auto kind = text_in(member(error, name)).value_or("");
    if (kind.contains("overloaded") || kind.contains("rate_limit") || kind.contains("api_error") ||
        kind.contains("server_error"))
      is_overloaded_ = true;
  }
  return stop(StreamTrouble::kServerSaid);
}

bool AnswerStream::add_text(std::string_view text) {
  if (text_.size() + text.size() > limits_.answer_bytes) return stop(StreamTrouble::kTooLong);
  text_ += text;
  characters_ += count_code_points(text);
  return true;
}

}  // namespace airlock::llm
