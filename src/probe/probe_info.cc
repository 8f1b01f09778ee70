#include "probe/probe_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::probe {

namespace {

using Json = nlohmann::ordered_json;

// Bytes, but for kMostEntries, which bounds every list.
constexpr std::size_t kLongestProbeName = 64;
constexpr std::size_t kMostEntries = 200;
constexpr std::size_t kLongestText = 500;
constexpr std::size_t kLongestWhat = 200;

// One form for all questions. Options and configuration are empty objects: the contract has a place
// for them, and nothing to put there.
std::string question(std::string_view what, const Snapshot& snapshot, const ProbeTask& task) {
  const Json document = {
      {"do", what},
      {"task", {{"type", task.type}, {"options", Json::object()}}},
      {"repo",
       {{"root", kRepositoryPlace},
        {"git_commit", snapshot.git_commit ? Json(*snapshot.git_commit) : Json(nullptr)},
        {"detected_languages", snapshot.detected_languages},
        {"config", Json::object()}}},
      {"folders",
       {{"output_dir", kOutputPlace},
        {"workspace", kWorkspacePlace},
        {"cache_dir", std::string(kWorkspacePlace) + "/cache"}}},
      {"config", Json::object()}};
  return document.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// The answer as an object, or the complaint that the library in the cell sent instead. Size, depth
// and number of keys are bounded, because the JSON reader recurses as deep as the text is nested
// and compares each key of an object with those before it.
Result<Json> read_object(std::string_view answer) {
  constexpr std::size_t kMostBytes = std::size_t{512} * 1024;
  constexpr int kDeepest = 6;
  constexpr std::size_t kMostKeys = 4096;  // an honest answer has some dozens
  if (answer.size() > kMostBytes) return fail("its answer is too large");
  bool is_too_deep = false;
  std::size_t keys = 0;
  const auto see = [&](int depth, Json::parse_event_t event, Json&) {
    is_too_deep = is_too_deep || depth > kDeepest;
    keys += event == Json::parse_event_t::key ? 1 : 0;
    return !is_too_deep && keys <= kMostKeys;
  };
  Json document = Json::parse(answer, see, false);
  if (is_too_deep) return fail("its answer is nested too deep");
  if (keys > kMostKeys) return fail("its answer has too many keys");
  if (!document.is_object()) return fail("its answer is not understood");
  // What the library in the cell says when the probe does not keep the contract.
  if (const auto wrong = document.find("wrong"); wrong != document.end() && wrong->is_string())
    return fail(printable(wrong->get<std::string>().substr(0, kLongestText)));
  return document;
}

Result<std::string> text_in(const Json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_string())
    return fail(fmt::format("'{}' must be text", name));
  auto text = found->get<std::string>();
  if (text.size() > kLongestText || printable(text) != text)
    return fail(fmt::format("'{}' must be one line of at most {} bytes", name, kLongestText));
  return text;
}

Result<std::vector<std::string>> texts_in(const Json& from, const char* name) {
  const auto found = from.find(name);
  std::vector<std::string> texts;
  if (found == from.end() || !found->is_array() || found->size() > kMostEntries)
    return fail(fmt::format("'{}' must be a list of at most {} texts", name, kMostEntries));
  for (const Json& one : *found) {
    if (!one.is_string() || one.get_ref<const std::string&>().size() > kLongestText)
      return fail(fmt::format("'{}' must hold short texts", name));
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

bool is_name(std::string_view text) {
  const auto fits = [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == '-'; };
  return !text.empty() && text.size() <= kLongestProbeName && std::ranges::all_of(text, fits);
}

// "schema_slice, a, 0": where in an output something stands.
std::string place(const Json& path) {
  std::string text;
  if (!path.is_array()) return "?";
  for (const Json& step : path) {
    if (!text.empty()) text += ", ";
    text += step.is_string() ? printable(step.get<std::string>().substr(0, 80)) : step.dump();
    if (text.size() > kLongestText) return text + "…";
  }
  return text;
}

// One entry of "refused", whatever it is.
std::string describe_refused(const Json& one) {
  const auto text = [&](const char* name) {
    const auto found = one.find(name);
    return found != one.end() && found->is_string() ? found->get<std::string>() : "?";
  };
  std::string type = text("type");
  if (type != "EncodingError" && type != "DepthError") type = "JSONValueError";
  const auto path = one.find("path");
  return fmt::format("{}: {} at ({})", type, printable(cut_utf8(text("what"), kLongestWhat)),
                     path == one.end() ? "?" : place(*path));
}

}  // namespace

std::string ask_describe(const ProbeTask& task) {
  return question("describe", {}, task);
}
std::string ask_applies(const Snapshot& snapshot, const ProbeTask& task) {
  return question("applies", snapshot, task);
}
std::string ask_run(const Snapshot& snapshot, const ProbeTask& task) {
  return question("run", snapshot, task);
}

Result<ProbeInfo> read_description(std::string_view answer) {
  auto document = TRY(read_object(answer));
  const Json about = document.value("probe", Json());
  if (!about.is_object()) return fail("its answer is not understood");
  ProbeInfo info;
  for (const auto& [name, to] : {std::pair{"name", &info.name},
                                 {"version", &info.version},
                                 {"schema_version", &info.schema_version},
                                 {"layer", &info.layer}}) {
    auto text = TRY(text_in(about, name));
    *to = std::move(text);
  }
  for (const auto& [name, to] : {std::pair{"applies_to_tasks", &info.applies_to_tasks},
                                 {"applies_to_languages", &info.applies_to_languages},
                                 {"requires", &info.requires_probes},
                                 {"declared_inputs", &info.declared_inputs}}) {
    auto texts = TRY(texts_in(about, name));
    *to = std::move(texts);
  }
  // It becomes a folder's name and a key of the report.
  if (!is_name(info.name)) {
    return fail(fmt::format("'name' must be 1 to {} of a-z, 0-9, _ and -, not '{}'",
                            kLongestProbeName, printable(info.name)));
  }
  const auto tier = text_in(about, "tier");
  if (!tier || (*tier != "base" && *tier != "task_specific"))
    return fail("'tier' must be \"base\" or \"task_specific\"");
  info.tier = *tier == "base" ? ProbeTier::kBase : ProbeTier::kTaskSpecific;
  const auto strategy = text_in(about, "cache_strategy");
  if (!strategy || (*strategy != "content" && *strategy != "none"))
    return fail("'cache_strategy' must be \"content\" or \"none\"");
  info.is_cached = *strategy == "content";
  const auto seconds = about.find("timeout_seconds");
  if (seconds == about.end() || !seconds->is_number() || !(seconds->get<double>() > 0) ||
      !(seconds->get<double>() <= 86400)) {
    return fail("'timeout_seconds' must be a number above 0, at most 86400");
  }
  const auto asks = about.find("asks");
  if (asks == about.end() || !asks->is_boolean()) return fail("its answer is not understood");
  info.asks = asks->get<bool>();
  info.timeout_ms = static_cast<std::uint32_t>(std::max(1.0, seconds->get<double>() * 1000));
  return info;
}

// For the cache. The reader is the same as for a probe's own answer, so nothing kept is trusted
// more.
std::string write_description(const ProbeInfo& info) {
  const Json about = {{"name", info.name},
                      {"version", info.version},
                      {"schema_version", info.schema_version},
                      {"layer", info.layer},
                      {"tier", info.tier == ProbeTier::kBase ? "base" : "task_specific"},
                      {"cache_strategy", info.is_cached ? "content" : "none"},
                      {"applies_to_tasks", info.applies_to_tasks},
                      {"applies_to_languages", info.applies_to_languages},
                      {"requires", info.requires_probes},
                      {"declared_inputs", info.declared_inputs},
                      {"timeout_seconds", info.timeout_ms / 1000.0},
                      {"asks", info.asks}};
  return compact_json(Json{{"probe", about}});
}

Result<Applies> read_applies(std::string_view answer) {
  auto document = TRY(read_object(answer));
  const auto applies = document.find("applies");
  const auto key = document.find("cache_key");
  if (applies == document.end() || !applies->is_boolean() || key == document.end() ||
      !key->is_string()) {
    return fail("its answer is not understood");
  }
  return Applies{applies->get<bool>(), key->get<std::string>()};
}

Result<ProbeOutput> read_output(const RawDocument& said) {
  const std::string_view answer = said.text_;
  // The document is handed on as it is: the inner door reads it, not we.
  // So the library in the cell writes it; anything else is a refusal, or no answer.
  constexpr std::string_view kOutput = R"({"output":)";
  if (answer.starts_with(kOutput) && answer.ends_with('}'))
    return ProbeOutput{
        RawDocument(std::string(answer.substr(kOutput.size(), answer.size() - kOutput.size() - 1))),
        {}};
  auto document = TRY(read_object(answer));
  const auto refused = document.find("refused");
  if (refused == document.end() || !refused->is_array() || refused->empty())
    return fail("its answer is not understood");
  ProbeOutput output;
  for (const Json& one : *refused) {
    output.refused.push_back(describe_refused(one.is_object() ? one : Json::object()));
    if (output.refused.size() == kMostEntries) break;
  }
  return output;
}

}  // namespace airlock::probe
