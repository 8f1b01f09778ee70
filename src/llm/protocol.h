// What is sent to any provider, and the lists of models that come back. What differs between them
// is in their rows (llm/providers); this puts settings, prompt and row together for http_model.cc.
// Pure: no I/O.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llm/model.h"
#include "llm/providers/providers.h"
#include "llm/settings.h"

namespace airlock::llm {

// One of them holds the key, when there is one: to be wiped after use.
std::vector<std::string> request_headers(const ModelSettings& settings);

// JSON. Text that is not UTF-8 gets U+FFFD for what cannot be sent.
std::string question_body(const ModelSettings& settings, const Prompt& prompt,
                          const Dialect& dialect = {});

// The names in a list of models, in any of the forms that servers have; at most 1000.
std::vector<std::string> model_names(std::string_view json);

// Whether `wanted` is in the list; a name without a tag means the one with the usual tag.
bool has_model(const Provider& provider, const std::vector<std::string>& names,
               std::string_view wanted);

}  // namespace airlock::llm
