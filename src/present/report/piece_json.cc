#include "present/report/piece_json.h"

#include <array>

#include "base/base64.h"
#include "base/json_writer.h"
#include "model/rule.h"

namespace airlock::cli {

namespace {

// One member of an object at a time.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  std::string& key(std::string_view name) {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    append_raw_json_string(out_, name);
    out_ += ':';
    return out_;
  }
  void text(std::string_view name, std::string_view value) {
    append_raw_json_string(key(name), value);
  }
  void end() { out_ += '}'; }

 private:
  std::string& out_;
  bool is_first_ = true;
};

void append_calls(std::string& out, const std::vector<CallRecord>& calls) {
  out += '[';
  for (const CallRecord& call : calls) {
    if (&call != &calls.front()) out += ',';
    ObjectWriter one(out);
    one.text("name", call.name);
    append_json_number(one.key("elapsed_ms"), call.milliseconds);
    one.text("ended", call.ended);
    one.end();
  }
  out += ']';
}

void append_denials(std::string& out, const std::vector<DeniedCall>& denials) {
  out += '[';
  for (const DeniedCall& denial : denials) {
    if (&denial != &denials.front()) out += ',';
    ObjectWriter one(out);
    one.text("call", denial.name);
    one.key("line") += denial.line > 0 ? std::to_string(denial.line) : "null";
    one.end();
  }
  out += ']';
}

void append_findings(std::string& out, const std::vector<Finding>& findings) {
  out += '[';
  for (const Finding& finding : findings) {
    if (&finding != &findings.front()) out += ',';
    ObjectWriter one(out);
    one.text("rule", finding.rule->name);
    one.key("line") += std::to_string(finding.place.line);
    one.text("message", finding.message);
    one.text("suggestion", finding.suggestion);
    one.end();
  }
  out += ']';
}

void append_texts(std::string& out, const std::vector<std::string>& texts) {
  out += '[';
  for (const std::string& text : texts) {
    if (&text != &texts.front()) out += ',';
    append_raw_json_string(out, text);
  }
  out += ']';
}

void append_artifacts(std::string& out, const std::vector<Artifact>& artifacts) {
  ObjectWriter files(out);
  for (const Artifact& artifact : artifacts) files.text(artifact.name, base64(artifact.bytes));
  files.end();
}

void append_error(std::string& out, const PieceReport& report) {
  if (report.end == PieceEnd::kDone) {
    out += "null";
    return;
  }
  ObjectWriter error(out);
  error.text("kind", end_name(report.end));
  error.text("type", report.error.type);
  error.text("message", report.error.message);
  error.key("line") += report.line > 0 ? std::to_string(report.line) : "null";
  error.text("traceback", report.traceback);
  if (report.signal != 0) error.key("signal") += std::to_string(report.signal);
  if (!report.findings.empty()) append_findings(error.key("findings"), report.findings);
  error.end();
}

}  // namespace

std::string_view end_name(PieceEnd end) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "",       "raised", "refused",   "timeout", "deadline",
      "memory", "output", "violation", "crashed", "cancelled"};
  return kNames[static_cast<std::size_t>(end)];
}

std::string piece_as_json(const PieceReport& report) {
  std::string out;
  ObjectWriter piece(out);
  piece.key("value") += report.value.value_or("null");
  if (report.shown) {
    piece.text("shown", *report.shown);
  } else {
    piece.key("shown") += "null";
  }
  piece.text("stdout", report.output);
  piece.text("stderr", report.error_output);
  append_calls(piece.key("calls"), report.calls);
  append_denials(piece.key("denials"), report.denials);
  append_artifacts(piece.key("artifacts"), report.harvest.artifacts);
  if (!report.harvest.left_out.empty())
    append_texts(piece.key("artifacts_left_out"), report.harvest.left_out);
  append_json_number(piece.key("elapsed_ms"), report.milliseconds);
  piece.key("state_lost") += report.state_lost ? "true" : "false";
  append_error(piece.key("error"), report);
  piece.end();
  return out;
}

}  // namespace airlock::cli
