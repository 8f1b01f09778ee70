// The settings in force with their sources and whether the model answers (status), and the log of
// questions (log, export). Answers and prompts are strangers' text: quoted_lines() puts each line
// behind a bar, so that none can pass for a line of ours.
#include "present/report/ai_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/utc_time.h"
#include "llm/providers/providers.h"
#include "llm/troubles.h"
#include "present/report/json_text.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kModelsShown = 20;  // names, for people

Json failure_as_json(const llm::ModelFailure& failure) {
  return {{"trouble", llm::to_string(failure.trouble)},
          {"message", failure.message},
          {"fix", failure.fix},
          {"retry_after", failure.retry_after ? Json(failure.retry_after->count()) : Json(nullptr)},
          {"is_worth_another_try", failure.is_worth_another_try}};
}

std::string key_source(const llm::ModelSettings& model) {
  if (!model.key_file.empty()) return "file " + model.key_file;
  return model.key_env.empty() ? std::string() : "variable " + model.key_env;
}

// Whether there is a key and where it comes from: four cases that look alike to a server.
std::string key_words(const llm::ModelSettings& model) {
  if (model.key != nullptr) return "present, from the " + key_source(model);
  if (!model.key_trouble.empty()) return model.key_trouble;
  if (model.provider == nullptr) return "not read";
  return model.key_env.empty() ? "none is named, none is sent"
                               : "none: the variable " + model.key_env + " is not set";
}

// The fields of one question: in `ai log`, `ai export` and their documents alike. `sent_start` and
// `answer_start` are the beginnings that the log keeps; the hashes are of the whole texts.
Json call_json(const ModelCall& call) {
  return {{"id", call.id},
          {"started", utc_for_programs(call.started)},
          {"duration_ms", call.duration_ms},
          {"provider", call.provider},
          {"model", call.model},
          {"endpoint", call.endpoint},
          {"outcome", call.outcome},
          {"message", call.message.empty() ? Json(nullptr) : Json(call.message)},
          {"prompt_tokens", call.prompt_tokens},
          {"answer_tokens", call.answer_tokens},
          {"tokens_estimated", call.is_estimated},
          {"sent_sha256", call.sent_sha256},
          {"sent_bytes", call.sent_bytes},
          {"sent_start", call.sent_start},
          {"retry", call.retry.empty() ? Json(nullptr) : Json(call.retry)},
          {"answer_sha256", call.answer_sha256.empty() ? Json(nullptr) : Json(call.answer_sha256)},
          {"answer_bytes", call.answer_bytes},
          {"answer_start", call.answer_start}};
}

Style style_of_outcome(const ModelCall& call) {
  return call.outcome.starts_with("answered") ? Style::kGood : Style::kError;
}

std::string tokens_words(const ModelCall& call) {
  return fmt::format("{} sent, {} answered{}", call.prompt_tokens, call.answer_tokens,
                     call.is_estimated ? " (estimated)" : "");
}

// Each line of a foreign text behind a bar.
std::string quoted_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += "  | " + printable(text.substr(0, end)) + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

std::string endpoint_text(const AiStatus& status, Colour colour) {
  const llm::EndpointReport& report = *status.endpoint;
  if (report.failure) {
    return paint("not ready", Style::kError, colour) + "  " + printable(report.failure->message) +
           "\n" +
           (report.failure->fix.empty() ? ""
                                        : "           " + printable(report.failure->fix) + "\n");
  }
  if (report.has_model)
    return paint("ready", Style::kGood, colour) + "      it answers and has the model\n";
  return paint("ready", Style::kGood, colour) + "      it answers; it does not list its models\n";
}

}  // namespace

bool AiStatus::is_ready() const {
  return endpoint && endpoint->answers && !endpoint->failure;
}

std::string status_as_text(const AiStatus& status, Colour colour) {
  const llm::ModelSettings& model = status.settings.model;
  std::string out = fmt::format("file       {}{}\n", printable(status.settings.file),
                                status.settings.has_file ? "" : " (not there: the defaults hold)");
  out += "key        " + printable(key_words(model)) + "\n\n";
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const llm::SettingRow& row : status.settings.rows) {
    name_width = std::max(name_width, row.name.size());
    // One very long value (a path) must not push the sources of all others to the right.
    value_width = std::max(value_width, std::min<std::size_t>(columns_of(row.value), 40));
  }
  for (const llm::SettingRow& row : status.settings.rows) {
    const std::string value = row.value.empty() ? "-" : printable(row.value);
    const std::size_t columns = std::max<std::size_t>(columns_of(row.value), 1);
    out += fmt::format("{:<{}}  {}{}  {}\n", row.name, name_width, value,
                       std::string(columns < value_width ? value_width - columns : 0, ' '),
                       paint(printable(row.source), Style::kFaint, colour));
  }
  out += "\n";
  if (!status.endpoint)
    return out + "no model is set up: airlock works without one (provider = \"disabled\")\n";
  out += endpoint_text(status, colour);
  const auto& models = status.endpoint->models;
  if (models.empty()) return out;
  out += "models     ";
  for (std::size_t i = 0; i < std::min(models.size(), kModelsShown); ++i)
    out += (i == 0 ? "" : ", ") + printable(models[i]);
  if (models.size() > kModelsShown)
    out += fmt::format(" and {} more", models.size() - kModelsShown);
  return out + "\n";
}

std::string status_as_json(const AiStatus& status) {
  const llm::ModelSettings& model = status.settings.model;
  Json rows = Json::array();
  for (const llm::SettingRow& row : status.settings.rows)
    rows.push_back({{"name", row.name}, {"value", row.value}, {"source", row.source}});
  const std::string source = key_source(model);
  Json out = {{"provider", llm::name_of(model.provider)},
              {"model", model.model},
              {"endpoint", model.endpoint},
              {"ready", status.is_ready()},
              {"key",
               {{"source", source.empty() ? Json(nullptr) : Json(source)},
                {"present", model.key != nullptr},
                {"trouble", model.key_trouble.empty() ? Json(nullptr) : Json(model.key_trouble)}}},
              {"file", status.settings.file},
              {"file_exists", status.settings.has_file},
              {"settings", std::move(rows)}};
  // A document has all of its members in every case; what was not asked is null.
  const llm::EndpointReport none;
  const llm::EndpointReport& report = status.endpoint ? *status.endpoint : none;
  out["answers"] = status.endpoint ? Json(report.answers) : Json(nullptr);
  out["has_model"] = report.has_model ? Json(*report.has_model) : Json(nullptr);
  out["models"] = report.models;
  out["failure"] = report.failure ? failure_as_json(*report.failure) : Json(nullptr);
  return json_text(out, 2) + "\n";
}

std::string calls_as_text(std::span<const ModelCall> calls, Colour colour) {
  if (calls.empty()) return "no question is in the log\n";
  std::string out;
  for (const ModelCall& call : calls) {
    out += paint(printable(call.id), Style::kLabel, colour) + "  " + utc_for_people(call.started) +
           fmt::format("  {:>6} ms  ", call.duration_ms) +
           paint(fmt::format("{:<13}", printable(call.outcome)), style_of_outcome(call), colour) +
           "  " + printable(call.provider) + " " + printable(call.model) +
           fmt::format("  {} + {} tokens\n", call.prompt_tokens, call.answer_tokens);
  }
  return out;
}

std::string calls_as_json(std::span<const ModelCall> calls) {
  Json list = Json::array();
  for (const ModelCall& call : calls) list.push_back(call_json(call));
  return json_text({{"calls", std::move(list)}}, 2) + "\n";
}

std::string call_as_text(const ModelCall& call, Colour colour) {
  std::string out = paint(printable(call.id), Style::kLabel, colour) + "\n";
  out += fmt::format("asked     {} UTC, {} ms\n", utc_for_people(call.started), call.duration_ms);
  out += "model     " + printable(call.provider) + " " + printable(call.model) + " at " +
         printable(call.endpoint) + "\n";
  out += "outcome   " + paint(printable(call.outcome), style_of_outcome(call), colour) +
         (call.message.empty() ? "" : ": " + printable(call.message)) + "\n";
  out += "tokens    " + tokens_words(call) + "\n";
  out +=
      fmt::format("\nsent: {} bytes, SHA-256 {}\n", call.sent_bytes, printable(call.sent_sha256));
  out += quoted_lines(call.sent_start);
  if (!call.retry.empty()) out += "retry      what it added, whole\n" + quoted_lines(call.retry);
  if (call.answer_bytes == 0) return out;
  out += fmt::format("\nanswer: {} bytes, SHA-256 {}\n", call.answer_bytes,
                     printable(call.answer_sha256));
  return out + quoted_lines(call.answer_start);
}

std::string call_as_json(const ModelCall& call) {
  return json_text(call_json(call), 2) + "\n";
}

std::string call_as_line(const ModelCall& call) {
  return json_text(call_json(call), -1) + "\n";
}

std::string answer_as_json(const std::string& model,
                           const std::expected<llm::ModelAnswer, llm::ModelFailure>& answer) {
  Json out = {{"model", model}, {"answered", answer.has_value()}};
  if (answer) {
    out["answer"] = answer->text;
    out["was_cut"] = answer->was_cut;
    out["prompt_tokens"] = answer->usage.prompt_tokens;
    out["answer_tokens"] = answer->usage.answer_tokens;
    out["tokens_estimated"] = answer->usage.is_estimated;
    out["duration_ms"] = answer->duration.count();
  } else {
    out["failure"] = failure_as_json(answer.error());
  }
  return json_text(out, 2) + "\n";
}

}  // namespace airlock::cli
