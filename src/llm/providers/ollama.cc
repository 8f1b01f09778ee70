// Models on the user's own machine, by Ollama's own interface: lines of JSON.
#include <algorithm>

#include "llm/bounded_json.h"
#include "llm/providers/chat_messages.h"
#include "llm/providers/providers.h"

namespace airlock::llm {

namespace {

// Ollama cuts off what does not fit without a word, and loads the model again when the size
// changes: in large steps, so that a retry finds it loaded.
std::int64_t context_tokens(const Question& question) {
  // Tokens.
  constexpr std::int64_t kStep = 8192;
  constexpr std::int64_t kMost = 16 * kStep;
  const auto bytes =
      static_cast<std::int64_t>(question.prompt.system.size() + question.prompt.user.size());
  const std::int64_t needed = bytes / 3 + question.max_tokens;  // paths have short tokens
  return std::min((needed / kStep + 1) * kStep, kMost);
}

std::string ollama_question_url(const Endpoint& endpoint) {
  return endpoint.text() + "/api/chat";
}

std::string ollama_models_url(const Endpoint& endpoint) {
  return endpoint.text() + "/api/tags";
}

nlohmann::ordered_json ollama_question(const Question& question) {
  return {
      {"model", question.model},
      {"messages", chat_messages(question.prompt)},
      {"stream", true},
      {"options", {{"num_predict", question.max_tokens}, {"num_ctx", context_tokens(question)}}}};
}

// {"message": {"content": "…"}, "done": false} … {"done": true, "eval_count": 12, …}
std::optional<AnswerPiece> read_ollama(const nlohmann::json& object) {
  const nlohmann::json& done = member(object, "done");
  const nlohmann::json& message = member(object, "message");
  if (!done.is_boolean() && !message.is_object()) return std::nullopt;
  AnswerPiece piece{.text = std::string(text_in(member(message, "content")).value_or(""))};
  if (!done.is_boolean() || !done.get<bool>()) return piece;
  piece.prompt_tokens = count_in(member(object, "prompt_eval_count"));
  piece.answer_tokens = count_in(member(object, "eval_count"));
  piece.was_cut = text_in(member(object, "done_reason")) == "length";
  piece.following = Following::kNothing;
  return piece;
}

}  // namespace

constinit const Provider providers::kOllama = {
    .name = "ollama",
    .remark = "",
    .example_model = "llama3.2",
    .own_server = OwnServer{.start = "ollama serve",
                            .fetch = "ollama pull",
                            .log = "journalctl -u ollama, or the terminal of ollama serve"},
    .endpoint = "http://localhost:11434",
    .key_variable = "",
    .question_url = ollama_question_url,
    .models_url = ollama_models_url,
    .key_header = "Authorization: Bearer ",
    .other_header = "",
    .question = ollama_question,
    .model_list = {.list = "models", .name = "name"},
    .usual_tag = ":latest",
    .framing = Framing::kLines,
    .end_mark = "",
    .read = read_ollama,
    .errors_have_kinds = false,
};

}  // namespace airlock::llm
