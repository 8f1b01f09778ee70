#include "present/mcp/prompts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "engine/paths/infer_paths.h"
#include "wizard/prompts.h"

namespace airlock::mcp {

namespace {

constexpr std::size_t kMostPromptPaths = 10'000;
constexpr std::size_t kLongestPromptHint = 500;

constexpr std::array kWriteExtractorArguments = {
    PromptArgument{"paths", "Sample paths, one a line", true},
    PromptArgument{"hint", "What is wanted: 'client, year and quarter with its months'", false},
};
constexpr std::string_view kThen =
    "\nWith the tools of the server airlock at hand: before you answer, call validate_extractor "
    "with "
    "your code as 'source' and the sample paths above as 'paths', and mend what it finds until it "
    "says that it is valid. Approving it is for a person.\n";

std::unexpected<Fault> wrong_prompt(std::string message) {
  return std::unexpected(
      Fault{.code = code::kInvalidParams, .message = "Invalid params: " + std::move(message)});
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < kMostPromptPaths) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

// What inference finds is a help, and no condition.
std::vector<rules::InferredRule> rules_for(std::span<const std::string> paths,
                                           const std::string& hint) {
  PathList list;
  for (const std::string& path : paths) {
    ++list.seen;
    list.add(path);
  }
  std::vector<rules::InferredRule> found;
  const auto report = infer_from_paths(list, {.hint = hint, .name = {}});
  if (!report) return found;
  for (const RuleCoverage& one : report->rules) found.push_back(one.rule);
  return found;
}

std::expected<std::string, Fault> write_extractor(const JsonMembers& arguments,
                                                  const serve::Resident& resident) {
  const auto paths = lines_of(arguments.text("paths").value_or(""));
  if (paths.empty()) return wrong_prompt("'paths' is to be a text with sample paths, one a line");
  const bool has_hint = arguments.has("hint") && !arguments.is_null("hint");
  const auto hint = has_hint ? arguments.text("hint") : std::optional<std::string>("");
  if (!hint || hint->size() > kLongestPromptHint)
    return wrong_prompt("'hint' is to be a text of at most 500 bytes");
  const auto policy = resident.policy("extractor");
  if (!policy) return wrong_prompt(policy.error().message);
  const auto found = rules_for(paths, *hint);
  const auto first =
      wizard::first_prompt({.policy = **policy, .hint = *hint, .paths = paths, .rules = found});
  std::string out = R"([{"role":"user","content":{"type":"text","text":)";
  append_json_string(out, first.prompt.system + "\n\n" + first.prompt.user + std::string(kThen));
  return out + "}}]";
}

constexpr std::array kPrompts = {
    Prompt{"write_extractor", "Write an extractor",
           "Asks for a Python function that reads metadata out of paths like yours, within what "
           "Airlock lets through.",
           kWriteExtractorArguments, write_extractor},
};

void add_prompt(std::string& out, const Prompt& prompt) {
  out += "{\"name\":" + json_string(prompt.name) + ",\"title\":" + json_string(prompt.title) +
         ",\"description\":" + json_string(prompt.about) + ",\"arguments\":[";
  for (const PromptArgument& one : prompt.arguments) {
    if (out.back() != '[') out += ',';
    out += "{\"name\":" + json_string(one.name) + ",\"description\":" + json_string(one.about) +
           ",\"required\":" + (one.is_required ? "true}" : "false}");
  }
  out += "]}";
}

std::unexpected<Fault> unknown_prompt(std::string_view name, std::span<const Prompt> prompts) {
  std::string names;
  for (const Prompt& one : prompts)
    names += (names.empty() ? "'" : ", '") + std::string(one.name) + "'";
  return wrong_prompt("there is no prompt '" + std::string(name.substr(0, 100)) + "'; there is " +
                      names);
}

}  // namespace

std::span<const Prompt> airlock_prompts() {
  return kPrompts;
}

std::string prompts_as_json(std::span<const Prompt> prompts) {
  std::string out = "\"prompts\":[";
  for (const Prompt& one : prompts) {
    if (out.back() != '[') out += ',';
    add_prompt(out, one);
  }
  return out + "]";
}

std::expected<std::string, Fault> prompt_as_json(std::span<const Prompt> prompts,
                                                 std::string_view name,
                                                 const JsonMembers& arguments,
                                                 const serve::Resident& resident) {
  const auto found = std::ranges::find(prompts, name, &Prompt::name);
  if (found == prompts.end()) return unknown_prompt(name, prompts);
  auto messages = found->messages(arguments, resident);
  if (!messages) return std::unexpected(std::move(messages).error());
  return "\"description\":" + json_string(found->about) + ",\"messages\":" + *messages;
}

}  // namespace airlock::mcp
