#include "flow/node_reader.h"

#include <algorithm>

#include "base/json_reader.h"
#include "flow/value_text.h"

namespace airlock::flow {

namespace {

// To read a megabyte of code on a busy machine.
constexpr std::uint32_t kReadingMs = 30'000;
// Bytes. Inputs beyond this are not sent along: what they are declared as is still read.
constexpr std::size_t kLargeInput = 1024U * 1024;
// Bytes of questions about types that are asked at once.
constexpr std::size_t kBatchBytes = 1024U * 1024;

// The inputs that are read; the names of the others.
std::pair<Json, Json> inputs_to_send(const Node& node) {
  Json inputs = node.params.value("inputs", Json::object());
  Json unchecked = Json::array();
  if (!inputs.is_object()) return {std::move(inputs), std::move(unchecked)};
  std::size_t sent = 0;
  for (auto& [name, value] : inputs.items()) {
    const std::size_t size = json_text(value).size();
    if (sent + size <= kLargeInput) {
      sent += size;
      continue;
    }
    value = nullptr;
    unchecked.push_back(name);
  }
  return {std::move(inputs), std::move(unchecked)};
}

std::string question_of(const Node& node) {
  Json params = node.params;
  auto [inputs, unchecked] = inputs_to_send(node);
  params["inputs"] = std::move(inputs);
  Json question = Json::object();
  question["do"] = "check";
  question["name"] = node.id;
  question["params"] = std::move(params);
  question["unchecked"] = std::move(unchecked);
  return json_text(question);
}

// False: the answer is not what our program writes, so the code has interfered with it.
bool append_problems(const Json& answer, const char* key, const std::string& node,
                     Severity severity, std::vector<FlowProblem>& to) {
  const auto found = answer.find(key);
  if (found == answer.end() || !found->is_array()) return false;
  for (const Json& one : *found) {
    if (!one.is_array() || one.size() != 2 || !one[0].is_string() || !one[1].is_number_unsigned())
      return false;
    to.push_back({node, one[0], one[1].get<std::uint32_t>(), severity});
  }
  return true;
}

bool append_annotations(const Json& answer, ReadNode& to) {
  const auto found = answer.find("annotations");
  if (found == answer.end() || !found->is_object()) return false;
  for (const auto& [name, type] : found->items()) {
    if (!type.is_string()) return false;
    to.annotations.emplace_back(name, type);
  }
  return true;
}

Json question_of(std::span<const FitQuestion> questions) {
  Json pairs = Json::array();
  for (const FitQuestion& one : questions)
    pairs.push_back({one.given, one.path, one.declared, one.is_strict});
  return {{"do", "fit"}, {"pairs", std::move(pairs)}};
}

// How many of the first questions go together.
std::size_t batch_size(std::span<const FitQuestion> questions) {
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const FitQuestion& one : questions) {
    bytes += one.given.size() + one.path.size() + one.declared.size() + 16;
    if (count > 0 && bytes > kBatchBytes) break;
    ++count;
  }
  return count;
}

bool append_fits(const Json& answer, std::size_t count, std::vector<bool>& to) {
  const auto found = answer.is_object() ? answer.find("fits") : answer.end();
  if (found == answer.end() || !found->is_array() || found->size() != count ||
      !std::ranges::all_of(*found, &Json::is_boolean))
    return false;
  for (const Json& one : *found) to.push_back(one.get<bool>());
  return true;
}

}  // namespace

Result<ReadNode> NodeReader::read(const Node& node) {
  ReadNode read;
  auto said = TRY(cells_.ask(question_of(node), kReadingMs));
  // Reading should neither die nor be denied anything; if it does, the code's text has brought that
  // about, and that is a problem of the node.
  if (said.ending || !said.denials.empty()) {
    read.problems.push_back({node.id, step_of(node, std::move(said)).error});
    return read;
  }
  const Json answer = read_ordered_json<Json>(said.value);
  using enum Severity;
  if (!said.success || !answer.is_object() ||
      !append_problems(answer, "problems", node.id, kError, read.problems) ||
      !append_problems(answer, "warnings", node.id, kWarning, read.problems) ||
      !append_annotations(answer, read))
    return ReadNode{
        {{node.id, message("The code cannot be read", "It is too large, or nested too deeply.",
                           {"Give less to one node"})}},
        {}};
  return read;
}

Result<std::vector<bool>> NodeReader::can_fit(std::span<const FitQuestion> questions) {
  std::vector<bool> fits;
  while (!questions.empty()) {
    const std::size_t count = batch_size(questions);
    const auto said = TRY(cells_.ask(json_text(question_of(questions.first(count))), kReadingMs));
    const Json answer = said.success ? read_ordered_json<Json>(said.value) : Json();
    if (!append_fits(answer, count, fits))
      fits.resize(fits.size() + count, true);  // what is not known may fit
    questions = questions.subspan(count);
  }
  return fits;
}

}  // namespace airlock::flow
