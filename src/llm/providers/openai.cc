// OpenAI's interface, which many servers speak, each a little differently (Dialect).
#include "llm/bounded_json.h"
#include "llm/providers/chat_messages.h"
#include "llm/providers/providers.h"

namespace airlock::llm {

namespace {

// "https://host" and "https://host/v1" mean the same server; another path is meant as it stands.
std::string openai_base(const Endpoint& endpoint) {
  return endpoint.text() + (endpoint.path.empty() ? "/v1" : "");
}

std::string openai_question_url(const Endpoint& endpoint) {
  return openai_base(endpoint) + "/chat/completions";
}

std::string openai_models_url(const Endpoint& endpoint) {
  return openai_base(endpoint) + "/models";
}

nlohmann::ordered_json openai_question(const Question& question) {
  const Dialect& dialect = question.dialect;
  nlohmann::ordered_json body = {
      {"model", question.model},
      {"messages", chat_messages(question.prompt)},
      {dialect.says_completion_tokens ? "max_completion_tokens" : "max_tokens",
       question.max_tokens},
      {"stream", true}};
  if (dialect.has_stream_options) body["stream_options"] = {{"include_usage", true}};
  return body;
}

// A refusal names the field that the server wants instead, or does not know. Each field changes
// once, so that asking again ends.
bool learn_openai(Dialect& dialect, std::string_view refusal) {
  if (refusal.contains("max_completion_tokens") && !dialect.says_completion_tokens) {
    dialect.says_completion_tokens = true;
    return true;
  }
  if (refusal.contains("stream_options") && dialect.has_stream_options) {
    dialect.has_stream_options = false;
    return true;
  }
  return false;
}

const nlohmann::json& first_of(const nlohmann::json& list) {
  static const nlohmann::json null;
  return list.is_array() && !list.empty() ? list.front() : null;
}

// {"choices": [{"delta": {"content": "…"}, "finish_reason": null}], "usage": null}
std::optional<AnswerPiece> read_openai(const nlohmann::json& object) {
  const nlohmann::json& choices = member(object, "choices");
  if (!choices.is_array()) return std::nullopt;
  const nlohmann::json& choice = first_of(choices);
  AnswerPiece piece;
  // A stream has "delta", a whole answer "message"; never both.
  for (const char* part : {"delta", "message"})
    piece.text += text_in(member(member(choice, part), "content")).value_or("");
  const auto reason = text_in(member(choice, "finish_reason"));
  if (reason && !reason->empty()) {        // some servers say "" as long as it goes on
    piece.following = Following::kCounts;  // some send no [DONE]
    piece.was_cut = reason == "length";
  }
  const nlohmann::json& usage = member(object, "usage");
  piece.prompt_tokens = count_in(member(usage, "prompt_tokens"));
  piece.answer_tokens = count_in(member(usage, "completion_tokens"));
  return piece;
}

}  // namespace

constinit const Provider providers::kOpenai = {
    .name = "openai",
    .remark = "any compatible server",
    .example_model = "NAME",
    .own_server = std::nullopt,
    .endpoint = "https://api.openai.com/v1",
    .key_variable = "OPENAI_API_KEY",
    .question_url = openai_question_url,
    .models_url = openai_models_url,
    .key_header = "Authorization: Bearer ",
    .other_header = "",
    .question = openai_question,
    .learn = learn_openai,
    .must_list_models = false,
    .usual_tag = "",
    .framing = Framing::kEvents,
    .end_mark = "[DONE]",
    .read = read_openai,
};

}  // namespace airlock::llm
