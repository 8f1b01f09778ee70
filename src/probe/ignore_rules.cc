#include "probe/ignore_rules.h"

#include <ranges>

namespace airlock::probe {

namespace {

// Spaces at the end count only after a backslash.
std::string_view trimmed(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

}  // namespace

IgnoreRules IgnoreRules::parse(std::string_view text, std::size_t most) {
  IgnoreRules rules;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const bool keeps = line.starts_with('!');
    if (keeps) line.remove_prefix(1);
    // The trailing slash is taken off first: it does not tie the line to its folder.
    const bool is_for_folders = line.ends_with('/');
    if (is_for_folders) line.remove_suffix(1);
    const bool is_for_names = line.find('/') == std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    if (line.size() > kLongestGlob || rules.lines_.size() == most) {
      ++rules.left_out_;
      continue;
    }
    auto glob = Glob::parse(line, Braces::kPlain);
    if (glob) rules.lines_.push_back({std::move(*glob), keeps, is_for_folders, is_for_names});
  }
  return rules;
}

IgnoreRules::IgnoreVerdict IgnoreRules::judge(std::string_view path, bool is_folder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  // From the end: the last line that fits decides.
  for (const IgnoreLine& line : lines_ | std::views::reverse) {
    if (line.is_for_folders && !is_folder) continue;
    if (line.glob.matches(line.is_for_names ? name : path))
      return line.keeps ? IgnoreVerdict::kKeep : IgnoreVerdict::kIgnore;
  }
  return IgnoreVerdict::kNothing;
}

}  // namespace airlock::probe
