// A model behind HTTP: settings and provider's row (llm/providers) put together with one connection
// per question (llm/http.h). Nothing is loaded or connected before the first question. This is the
// bare model; commands use make_recorded_model() (llm/wrapped_model.h), which adds the log and the
// budget.
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
