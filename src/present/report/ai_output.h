// Models and their log, told to people and programs. Pure functions: values in, the bytes for
// stdout out. No key is ever among the values.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "llm/http_model.h"
#include "llm/settings.h"
#include "model/model_call.h"
#include "present/report/style.h"

namespace airlock::cli {

// `endpoint`: nothing when the provider is disabled.
struct AiStatus {
  const llm::Settings& settings;
  std::optional<llm::EndpointReport> endpoint = {};

  bool is_ready() const;  // somebody answers and has the model
};

std::string status_as_text(const AiStatus& status, Colour colour);
std::string status_as_json(const AiStatus& status);

// One question a line.
std::string calls_as_text(std::span<const ModelCall> calls, Colour colour);
std::string calls_as_json(std::span<const ModelCall> calls);
// One question.
std::string call_as_text(const ModelCall& call, Colour colour);
std::string call_as_json(const ModelCall& call);
// One question on a line of JSON.
std::string call_as_line(const ModelCall& call);

std::string answer_as_json(const std::string& model,
                           const std::expected<llm::ModelAnswer, llm::ModelFailure>& answer);

}  // namespace airlock::cli
