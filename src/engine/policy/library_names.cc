#include "engine/policy/library_names.h"

#include <algorithm>
#include <vector>

#include "base/nearest.h"

namespace airlock {

namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t blank = text.find(' '); blank != std::string_view::npos;
       text.remove_prefix(blank + 1), blank = text.find(' ')) {
    words.push_back(text.substr(0, blank));
  }
  return words;
}

}  // namespace

bool LibraryModule::has_attribute(std::string_view attribute) const {
  const std::vector<std::string_view> words = words_of(attributes);
  return std::ranges::find(words, attribute) != words.end();
}

const LibraryModule* find_library_module(std::string_view name) {
  const std::span<const LibraryModule> modules = library_modules();
  const auto found = std::ranges::lower_bound(modules, name, {}, &LibraryModule::name);
  return found == modules.end() || found->name != name ? nullptr : &*found;
}

bool is_sure_to_load(std::string_view module) {
  const LibraryModule* known = find_library_module(module);
  return known != nullptr && known->is_carried;
}

bool is_sure_to_load(const Policy& policy) {
  return policy.preloaded.empty() && std::ranges::all_of(policy.modules, [](const Surface& module) {
           return is_sure_to_load(module.name);
         });
}

std::string did_you_mean_module(std::string_view name) {
  std::vector<std::string_view> public_names;
  for (const LibraryModule& module : library_modules()) {
    if (!module.name.starts_with('_')) public_names.push_back(module.name);
  }
  return did_you_mean(name, public_names);
}

std::string did_you_mean_attribute(const LibraryModule& module, std::string_view attribute) {
  return did_you_mean(attribute, words_of(module.attributes));
}

}  // namespace airlock
