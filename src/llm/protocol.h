// How each provider is asked: addresses, headers, the body of a question. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llm/endpoint.h"
#include "llm/model.h"
#include "llm/settings.h"

namespace airlock::llm {

std::string question_url(Provider provider, const Endpoint& endpoint);
// Where the server lists its models.
std::string models_url(Provider provider, const Endpoint& endpoint);

// One of them holds the key, when there is one: to be wiped after use.
std::vector<std::string> request_headers(const ModelSettings& settings);

// Servers that are compatible are not the same: what one does not take is learnt from its refusal.
struct Dialect {
  bool says_completion_tokens = false;  // max_completion_tokens in place of max_tokens
  bool has_stream_options = true;       // asks for the usage at the end of a stream
};
// True: the refusal (400) is about a field that can be put differently, and now is.
bool learn_from(Dialect& dialect, Provider provider, std::string_view refusal);

// JSON. Text that is not UTF-8 gets U+FFFD for what cannot be sent.
std::string question_body(const ModelSettings& settings, const Prompt& prompt,
                          const Dialect& dialect = {});

// The names in a list of models, in any of the three forms; at most 1000.
std::vector<std::string> model_names(std::string_view json);

// Whether `wanted` is in the list: with Ollama "llama3.2" means "llama3.2:latest".
bool has_model(Provider provider, const std::vector<std::string>& names, std::string_view wanted);

}  // namespace airlock::llm
