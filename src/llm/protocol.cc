#include "llm/protocol.h"

#include <algorithm>

#include "base/json_writer.h"
#include "llm/bounded_json.h"

namespace airlock::llm {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostNames = 1000;

// "https://host" and "https://host/v1" mean the same server; another path is meant as it stands.
std::string openai_base(const Endpoint& endpoint) {
  return endpoint.text() + (endpoint.path.empty() ? "/v1" : "");
}

std::string anthropic_base(const Endpoint& endpoint) {
  return endpoint.text() + (endpoint.path.ends_with("/v1") ? "" : "/v1");
}

OrderedJson message(const char* role, const std::string& text) {
  return {{"role", role}, {"content", text}};
}

// Ollama cuts off what does not fit without a word, and loads the model again when the size
// changes: in large steps, so that a retry finds it loaded.
std::int64_t context_tokens(const ModelSettings& settings, const Prompt& prompt) {
  constexpr std::int64_t kStep = 8192;
  constexpr std::int64_t kMost = 16 * kStep;
  const auto bytes = static_cast<std::int64_t>(prompt.system.size() + prompt.user.size());
  const std::int64_t needed = bytes / 3 + settings.max_tokens;  // paths have short tokens
  return std::min((needed / kStep + 1) * kStep, kMost);
}

OrderedJson messages_of(const Prompt& prompt) {
  OrderedJson messages = OrderedJson::array();
  if (!prompt.system.empty()) messages.push_back(message("system", prompt.system));
  messages.push_back(message("user", prompt.user));
  return messages;
}

}  // namespace

std::string question_url(Provider provider, const Endpoint& endpoint) {
  switch (provider) {
    case Provider::kOllama:
      return endpoint.text() + "/api/chat";
    case Provider::kAnthropic:
      return anthropic_base(endpoint) + "/messages";
    case Provider::kOpenai:
    case Provider::kDisabled:
      break;
  }
  return openai_base(endpoint) + "/chat/completions";
}

std::string models_url(Provider provider, const Endpoint& endpoint) {
  switch (provider) {
    case Provider::kOllama:
      return endpoint.text() + "/api/tags";
    case Provider::kAnthropic:
      return anthropic_base(endpoint) + "/models?limit=1000";
    case Provider::kOpenai:
    case Provider::kDisabled:
      break;
  }
  return openai_base(endpoint) + "/models";
}

std::vector<std::string> request_headers(const ModelSettings& settings) {
  // No "Expect: 100-continue": it costs a second where servers do not know it.
  std::vector<std::string> headers = {"Content-Type: application/json", "Expect:"};
  if (settings.provider == Provider::kAnthropic)
    headers.emplace_back("anthropic-version: 2023-06-01");
  if (settings.key == nullptr) return headers;
  headers.push_back(
      (settings.provider == Provider::kAnthropic ? "x-api-key: " : "Authorization: Bearer ") +
      settings.key->text());
  return headers;
}

bool learn_from(Dialect& dialect, Provider provider, std::string_view refusal) {
  if (provider != Provider::kOpenai) return false;
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

std::string question_body(const ModelSettings& settings, const Prompt& prompt,
                          const Dialect& dialect) {
  OrderedJson body = {{"model", settings.model}};
  switch (settings.provider) {
    case Provider::kOllama:
      body["messages"] = messages_of(prompt);
      body["stream"] = true;
      body["options"] = {{"num_predict", settings.max_tokens},
                         {"num_ctx", context_tokens(settings, prompt)}};
      break;
    case Provider::kAnthropic:
      body["max_tokens"] = settings.max_tokens;
      if (!prompt.system.empty()) body["system"] = prompt.system;
      body["messages"] = OrderedJson::array({message("user", prompt.user)});
      body["stream"] = true;
      break;
    case Provider::kOpenai:
    case Provider::kDisabled:
      body["messages"] = messages_of(prompt);
      body[dialect.says_completion_tokens ? "max_completion_tokens" : "max_tokens"] =
          settings.max_tokens;
      body["stream"] = true;
      if (dialect.has_stream_options) body["stream_options"] = {{"include_usage", true}};
      break;
  }
  return compact_json(body);
}

std::vector<std::string> model_names(std::string_view json) {
  const auto document = parse_bounded(json);
  std::vector<std::string> names;
  if (!document) return names;
  const nlohmann::json& list = member(*document, "models").is_array() ? member(*document, "models")
                                                                      : member(*document, "data");
  if (!list.is_array()) return names;
  for (const nlohmann::json& one : list) {
    for (const char* key : {"name", "id"}) {
      const auto name = text_in(member(one, key));
      if (!name || name->empty() || name->size() > 200) continue;
      names.emplace_back(*name);
      break;
    }
    if (names.size() == kMostNames) break;
  }
  return names;
}

bool has_model(Provider provider, const std::vector<std::string>& names, std::string_view wanted) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return name == wanted || (provider == Provider::kOllama && !wanted.contains(':') &&
                              name == std::string(wanted) + ":latest");
  });
}

}  // namespace airlock::llm
