#include "engine/validate/path_branches.h"

#include "base/ascii.h"
#include "rules/infer/column_plan.h"
#include "rules/infer/tokens.h"
#include "rules/match/split_path.h"

namespace airlock {

namespace {

// "**" and then the segments from `from_end` on, of which the first is `piece`.
std::string ending_glob(std::string_view piece, std::size_t from_end) {
  std::string glob = "**/" + std::string(piece);
  for (std::size_t i = 1; i < from_end; ++i) glob += "/*";
  return glob;
}

std::string by_extension(std::string_view path) {
  rules::SplitPath split;
  split.split(path);
  const std::string_view name = split.filename();
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  return "**/*" + rules::quote_glob(name.substr(dot));
}

std::string by_depth(std::string_view path) {
  rules::SplitPath split;
  split.split(path);
  std::string glob;
  for (std::size_t i = 0; i < split.size(); ++i) glob += i == 0 ? "*" : "/*";
  // Without a slash a glob is about the name, in any folder.
  return split.size() == 1 ? std::string() : glob;
}

std::string by_segment(std::string_view path, std::size_t from_end) {
  rules::SplitPath split;
  split.split(path);
  if (split.size() < from_end) return {};
  return ending_glob(rules::quote_glob(split.segment(split.size() - from_end)), from_end);
}

std::string by_first_word(std::string_view path, std::size_t from_end) {
  rules::SplitPath split;
  split.split(path);
  if (split.size() < from_end) return {};
  const std::string_view segment = split.segment(split.size() - from_end);
  std::size_t letters = 0;
  while (letters < segment.size() && is_letter(segment[letters])) ++letters;
  if (letters == 0) return {};
  return ending_glob(rules::quote_glob(segment.substr(0, letters)) + "*", from_end);
}

std::string by_first_folder(std::string_view path, std::size_t from_start) {
  rules::SplitPath split;
  split.split(path);
  if (split.size() <= from_start + 1) return {};
  std::string glob;
  for (std::size_t i = 0; i < from_start; ++i) glob += "*/";
  return glob + rules::quote_glob(split.segment(from_start)) + "/**";
}

}  // namespace

std::vector<Branching> branchings(std::size_t deepest) {
  std::vector<Branching> all = {by_extension, by_depth};
  for (std::size_t i = 2; i <= deepest; ++i)
    all.emplace_back([i](std::string_view path) { return by_segment(path, i); });
  for (std::size_t i = 0; i < deepest; ++i)
    all.emplace_back([i](std::string_view path) { return by_first_folder(path, i); });
  for (std::size_t i = 1; i <= deepest; ++i)
    all.emplace_back([i](std::string_view path) { return by_first_word(path, i); });
  return all;
}

}  // namespace airlock
