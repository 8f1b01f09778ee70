// A model behind HTTP. Nothing is loaded or connected before the first question.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/model.h"
#include "llm/settings.h"

namespace airlock::llm {

// Null for a provider that is disabled. An Error: the key that was named cannot be read, or the
// endpoint is none.
Result<std::shared_ptr<Model>> make_model(const ModelSettings& settings);

// Whether somebody answers at the endpoint, and which models are there.
struct EndpointReport {
  bool answers = false;
  // Nothing: the server does not list its models.
  std::optional<bool> has_model = {};
  std::vector<std::string> models = {};
  std::optional<ModelFailure> failure = {};
};

EndpointReport query_endpoint(const ModelSettings& settings, const std::stop_token& stop);

}  // namespace airlock::llm
