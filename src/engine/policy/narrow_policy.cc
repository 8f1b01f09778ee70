#include "engine/policy/narrow_policy.h"

#include <algorithm>

#include "base/ascii.h"
#include "engine/policy/library_names.h"
#include "model/lazy_part.h"

namespace airlock {

namespace {

// Python folds other letters into ASCII (ﬁ into fi), and \u escapes spell names in an answer that
// holds its code as a string: there a plain search may miss an import.
bool is_plain(std::string_view text) {
  return is_ascii(text) && text.find("\\u") == std::string_view::npos;
}

bool is_of_a_name(char c) {
  return is_alnum(c) || c == '_';
}

// In an answer that holds the code as a string, the letter before a name may belong to an escape.
bool begins_at(std::string_view line, std::size_t at) {
  return at == 0 || !is_of_a_name(line[at - 1]) || (at >= 2 && line[at - 2] == '\\');
}

bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (begins_at(line, at) && (end == line.size() || !is_of_a_name(line[end]))) return true;
  }
  return false;
}

// Whether an import statement in the text may name it. Keyword and name share a line, unless a
// backslash joins two lines; then any mention counts. Too many modules cost time, one too few costs
// the run.
bool may_import(std::string_view text, std::string_view name) {
  if (text.find("\\\n") != std::string_view::npos || text.find("\\\r") != std::string_view::npos)
    return has_word(text, name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find("import") != std::string_view::npos && has_word(line, name)) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace

Policy narrow_to(std::string_view text, Policy policy) {
  if (!is_plain(text)) return policy;
  std::erase_if(policy.modules, [&](const Surface& surface) {
    const std::string_view name = surface.name;
    // strftime() of datetime imports time in the caller's module.
    const bool is_for_another = name == "time" && may_import(text, "datetime");
    // What may not be there is always loaded: a mistake in a policy is found whatever the text.
    return !is_for_another && is_sure_to_load(name) &&
           !may_import(text, name.substr(0, name.find('.')));
  });
  for (const LazyPart& part : lazy_parts()) {
    if (!may_need(part, text)) policy.parts_left_out.emplace_back(part.name);
  }
  return policy;
}

bool is_warm_enough(const Policy& warm, const Policy& wanted) {
  const auto is_warm = [&](const Surface& module) {
    return std::ranges::find(warm.modules, module.name, &Surface::name) != warm.modules.end();
  };
  const auto is_unwanted = [&](const std::string& part) {
    return std::ranges::find(wanted.parts_left_out, part) != wanted.parts_left_out.end();
  };
  return std::ranges::all_of(wanted.modules, is_warm) &&
         std::ranges::all_of(warm.parts_left_out, is_unwanted);
}

}  // namespace airlock
