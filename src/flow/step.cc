#include "flow/step.h"

#include "flow/document.h"
#include "flow/value_text.h"

namespace airlock::flow {

std::string entry_json(const Step& step) {
  std::string out = "{";
  if (step.has_result) out += "\"result\":" + step.result + ",";
  out += "\"stdout\":" + json_quoted(step.output) + ",\"stderr\":" + json_quoted(step.error_output);
  if (!step.error.empty()) out += ",\"error\":" + json_quoted(step.error);
  return out + "}";
}

std::string message(std::string_view brief, std::string_view detail,
                    const std::vector<std::string>& suggestions) {
  std::string text = "Error: " + std::string(brief);
  if (!detail.empty()) text += "\n\n" + std::string(detail);
  if (suggestions.empty()) return text;
  text += "\n\n💡 Suggestions:";
  for (const std::string& one : suggestions) text += "\n  - " + one;
  return text;
}

Step failed_step(std::string_view id, std::string error_type, std::string message) {
  Step step;
  step.id = id;
  step.error_type = std::move(error_type);
  step.error = std::move(message);
  step.phase = "exec";
  return step;
}

Step refused_step(std::string_view id, std::string_view brief, std::string_view detail) {
  Step step = failed_step(id, "ValueError", message(brief, detail));
  step.phase = "prep";
  return step;
}

}  // namespace airlock::flow
