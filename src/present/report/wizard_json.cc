// Paths, models and programs put bytes into the wizard's state that need not be UTF-8; text() is
// the one place where they become valid text. Rows of previews are JSON already and are only freed
// of escaped bytes.
#include "present/report/wizard_json.h"

#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "base/utf8.h"
#include "present/report/json_text.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

// JSON is text: a byte of a path that is none is shown as U+FFFD here.
std::string text(const std::string& bytes) {
  return replace_invalid_utf8(bytes);
}

// Bytes that are no UTF-8 stand in rows as \udc80 … \udcff, which a strict reader refuses.
std::string without_bytes(std::string json) {
  for (std::size_t at = json.find("\\udc"); at != std::string::npos;
       at = json.find("\\udc", at + 6))
    json.replace(at, 6, "\\ufffd");
  return json;
}

Json texts(const std::vector<std::string>& list) {
  Json out = Json::array();
  for (const std::string& one : list) out.push_back(text(one));
  return out;
}

Json attempt_json(const wizard::GenerationAttempt& attempt) {
  Json out = {{"number", attempt.number},
              {"author", wizard::to_string(attempt.author)},
              {"stage", to_string(attempt.stage)},
              {"valid", attempt.valid},
              {"error", attempt.valid ? Json(nullptr) : Json(text(attempt.error))},
              {"retry", attempt.retry.empty() ? Json(nullptr) : Json(text(attempt.retry))},
              {"repeated", attempt.is_repeat},
              {"repairs", texts(attempt.repairs)},
              {"elapsed_ms", attempt.milliseconds}};
  return out;
}

Json row_json(const wizard::PreviewRow& row) {
  Json out = {{"path", text(row.path)}, {"ok", row.ok}};
  if (row.ok) {
    Json data = read_ordered_json<Json>(without_bytes(row.data));
    out["data"] = data.is_discarded() ? Json(nullptr) : std::move(data);
  } else {
    out["error"] = text(row.error);
  }
  return out;
}

Json pattern_json(const wizard::PatternRow& row) {
  return {{"field", text(row.field)},       {"from", text(row.from)}, {"class", text(row.what)},
          {"examples", text(row.examples)}, {"rule", text(row.rule)}, {"keep", row.keep}};
}

template <typename List, typename Make>
Json each(const List& list, Make make) {
  Json out = Json::array();
  for (const auto& one : list) out.push_back(make(one));
  return out;
}

Json problem_json(const wizard::WizardProblem& problem) {
  if (problem.title.empty()) return nullptr;
  return {{"title", text(problem.title)},
          {"stage", problem.stage.empty() ? Json(nullptr) : Json(problem.stage)},
          {"detail", text(problem.detail)},
          {"fix", problem.fix.empty() ? Json(nullptr) : Json(text(problem.fix))},
          {"transport", problem.is_transport}};
}

}  // namespace

std::string wizard_as_json(const wizard::WizardState& state) {
  using wizard::Phase;
  Json out;
  out["state"] = wizard::to_string(state.phase);
  out["output"] = to_string(state.output);
  out["draft"] = state.draft.empty() ? Json(nullptr) : Json(state.draft);
  out["name"] = text(state.name);
  out["attempts"] = each(state.attempts, attempt_json);
  out["code"] = text(state.text);
  out["preview"] = each(state.preview, row_json);
  out["author"] = state.attempts.empty() ? Json(nullptr) : Json(wizard::to_string(state.author));
  out["confidence"] = state.confidence;
  out["evidence"] = texts(state.evidence);
  out["reasons"] = texts(state.reasons);
  out["notes"] = texts(state.notes);
  out["warnings"] = texts(state.warnings);
  out["patterns"] = each(state.patterns, pattern_json);
  out["passed"] = state.passed;
  out["samples"] = state.samples.size();
  out["mean_ms"] = state.mean_ms;
  out["retries_left"] = state.retries_left;
  out["transport_failures"] = state.transport_failures;
  out["tokens"] = state.tokens;
  out["model"] = state.model.empty() ? Json(nullptr) : Json(text(state.model));
  out["error"] = problem_json(state.problem);
  out["fallback"] = state.offers_fallback ? Json(text(state.fallback)) : Json(nullptr);
  out["approved_version"] =
      state.phase == Phase::kApproved ? Json(state.approved_version) : Json(nullptr);
  if (state.phase == Phase::kConsent) out["would_send"] = text(state.outgoing);
  if (state.phase == Phase::kRetryConsent)
    out["would_send"] = text(state.outgoing + state.outgoing_retry);
  return json_page(out);
}

}  // namespace airlock::cli
