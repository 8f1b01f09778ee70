#include "llm/protocol.h"

#include <algorithm>

#include "base/json_writer.h"
#include "llm/bounded_json.h"

namespace airlock::llm {

namespace {

// What a list may make us hold: a server that lists more is not looked through further.
constexpr std::size_t kMostNames = 1000;

}  // namespace

std::vector<std::string> request_headers(const ModelSettings& settings) {
  // No "Expect: 100-continue": it costs a second where servers do not know it.
  std::vector<std::string> headers = {"Content-Type: application/json", "Expect:"};
  const Provider& provider = *settings.provider;
  if (!provider.other_header.empty()) headers.emplace_back(provider.other_header);
  if (settings.key == nullptr) return headers;
  headers.push_back(std::string(provider.key_header) + settings.key->text());
  return headers;
}

std::string question_body(const ModelSettings& settings, const Prompt& prompt,
                          const Dialect& dialect) {
  return compact_json(settings.provider->question({.model = settings.model,
                                                   .prompt = prompt,
                                                   .max_tokens = settings.max_tokens,
                                                   .dialect = dialect}));
}

std::vector<std::string> model_names(std::string_view json) {
  const auto document = parse_bounded(json);
  std::vector<std::string> names;
  if (!document) return names;
  // In any provider's form: servers that speak one interface may list by another. An entry without
  // a name, or with one of more than 200 bytes, is passed over.
  const auto is_listed = [&](const Provider* row) {
    return member(*document, row->model_list.list).is_array();
  };
  const auto* const form = std::ranges::find_if(providers::kAll, is_listed);
  if (form == providers::kAll.end()) return names;
  for (const nlohmann::json& one : member(*document, (*form)->model_list.list)) {
    for (const Provider* row : providers::kAll) {
      const auto name = text_in(member(one, row->model_list.name));
      if (!name || name->empty() || name->size() > 200) continue;
      names.emplace_back(*name);
      break;
    }
    if (names.size() == kMostNames) break;
  }
  return names;
}

bool has_model(const Provider& provider, const std::vector<std::string>& names,
               std::string_view wanted) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return name == wanted || (!provider.usual_tag.empty() && !wanted.contains(':') &&
                              name == std::string(wanted) + std::string(provider.usual_tag));
  });
}

}  // namespace airlock::llm
