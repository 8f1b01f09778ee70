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

// JSON. Text that is not UTF-8 gets U+FFFD for what cannot be sent.
std::string question_body(const ModelSettings& settings, const Prompt& prompt);

// The names in a list of models, in any of the three forms; at most 1000.
std::vector<std::string> model_names(std::string_view json);

// Whether `wanted` is in the list: with Ollama "llama3.2" means "llama3.2:latest".
bool has_model(Provider provider, const std::vector<std::string>& names, std::string_view wanted);

}  // namespace airlock::llm
