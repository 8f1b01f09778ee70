#include "llm/providers/providers.h"

#include <algorithm>

namespace airlock::llm {

std::string_view name_of(const Provider* provider) {
  return provider == nullptr ? kDisabled : provider->name;
}

const Provider* find_provider(std::string_view name) {
  const auto* found = std::ranges::find(providers::kAll, name, &Provider::name);
  return found == providers::kAll.end() ? nullptr : *found;
}

std::vector<std::string_view> provider_choices() {
  std::vector<std::string_view> names = {kDisabled};
  for (const Provider* provider : providers::kAll) names.push_back(provider->name);
  return names;
}

std::string one_of(const std::vector<std::string_view>& words) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += i + 1 == words.size() ? " or " : ", ";
    all += words[i];
  }
  return all;
}

}  // namespace airlock::llm
