// Anthropic's interface: events with a type, the system's words beside the messages.
#include "llm/bounded_json.h"
#include "llm/providers/chat_messages.h"
#include "llm/providers/providers.h"

namespace airlock::llm {

namespace {

// "https://host" and "https://host/v1" are both accepted, as people copy either.
std::string anthropic_base(const Endpoint& endpoint) {
  return endpoint.text() + (endpoint.path.ends_with("/v1") ? "" : "/v1");
}

std::string anthropic_question_url(const Endpoint& endpoint) {
  return anthropic_base(endpoint) + "/messages";
}

std::string anthropic_models_url(const Endpoint& endpoint) {
  return anthropic_base(endpoint) + "/models?limit=1000";
}

nlohmann::ordered_json anthropic_question(const Question& question) {
  nlohmann::ordered_json body = {{"model", question.model}, {"max_tokens", question.max_tokens}};
  if (!question.prompt.system.empty()) body["system"] = question.prompt.system;
  body["messages"] = nlohmann::ordered_json::array({chat_message("user", question.prompt.user)});
  body["stream"] = true;
  return body;
}

// Some events carry one count alone; what is absent is nothing, and the stream keeps the earlier
// one.
void take_usage(AnswerPiece& piece, const nlohmann::json& usage) {
  piece.prompt_tokens = count_in(member(usage, "input_tokens"));
  piece.answer_tokens = count_in(member(usage, "output_tokens"));
}

void take_reason(AnswerPiece& piece, const nlohmann::json& reason) {
  if (text_in(reason) == "max_tokens") piece.was_cut = true;
}

// The whole answer at once, from a server that does not stream.
std::optional<AnswerPiece> read_message(const nlohmann::json& object) {
  const nlohmann::json& content = member(object, "content");
  if (!content.is_array()) return std::nullopt;
  AnswerPiece piece{.following = Following::kNothing};
  for (const nlohmann::json& block : content)
    piece.text += text_in(member(block, "text")).value_or("");
  take_usage(piece, member(object, "usage"));
  take_reason(piece, member(object, "stop_reason"));
  return piece;
}

// {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "…"}} and others
std::optional<AnswerPiece> read_anthropic(const nlohmann::json& object) {
  const auto type = text_in(member(object, "type"));
  if (!type) return std::nullopt;
  if (*type == "message") return read_message(object);
  const nlohmann::json& delta = member(object, "delta");
  AnswerPiece piece;
  if (*type == "message_start") {
    take_usage(piece, member(member(object, "message"), "usage"));
  } else if (*type == "content_block_start") {
    piece.text = text_in(member(member(object, "content_block"), "text")).value_or("");
  } else if (*type == "content_block_delta") {
    piece.text = text_in(member(delta, "text")).value_or("");
  } else if (*type == "message_delta") {
    take_usage(piece, member(object, "usage"));
    take_reason(piece, member(delta, "stop_reason"));
  } else if (*type == "message_stop") {
    piece.following = Following::kNothing;
  }
  return piece;
}

}  // namespace

constinit const Provider providers::kAnthropic = {
    .name = "anthropic",
    .remark = "",
    .example_model = "NAME",
    .own_server = std::nullopt,
    .endpoint = "https://api.anthropic.com",
    .key_variable = "ANTHROPIC_API_KEY",
    .question_url = anthropic_question_url,
    .models_url = anthropic_models_url,
    .key_header = "x-api-key: ",
    .other_header = "anthropic-version: 2023-06-01",
    .question = anthropic_question,
    .usual_tag = "",
    .framing = Framing::kEvents,
    .end_mark = "",
    .read = read_anthropic,
};

}  // namespace airlock::llm
