// A judgement that refuses (check_python, validate_extractor, admit_json) is what was asked for,
// and no error. Code that was to do something and did not (run_python, extract) is one, and says
// which line, why, and what to do.
#include "present/mcp/tools.h"

#include <array>
#include <utility>

#include "base/base64.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "present/mcp/explain.h"
#include "present/mcp/tool_schemas.h"
#include "present/report/piece_json.h"
#include "present/serve/session_request.h"

namespace airlock::mcp {

namespace {

constexpr std::size_t kLongestSessionName = 200;
// Larger pictures are in the structured result alone; bytes.
constexpr std::size_t kLargestPicture = 5UL * 1024 * 1024;
constexpr std::size_t kMostPictures = 10;

// Nobody hears what is printed meanwhile, and there is nothing to call.
class Deaf final : public SessionListener {
 public:
  void printed(OutputStream /*stream*/, std::string_view /*text*/) override {}
  void called(const HostCall& /*call*/) override {}
};

// By how the bytes begin: whoever is handed a picture that is none refuses all of the answer.
// Empty: it is no picture that every client can show.
std::string_view picture_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  return {};
}

// Files are whole in the structured result. A text names them: their bytes would fill a model's
// context, and pictures are content of their own.
void tell_artifacts(PieceReport report, ToolResult& result) {
  if (report.harvest.artifacts.empty()) return;
  std::string names = "New or changed in /out (base64 in structuredContent.artifacts):";
  for (const Artifact& one : report.harvest.artifacts) {
    names += "\n  " + printable(one.name) + ", " + std::to_string(one.bytes.size()) + " bytes";
    const std::string_view type = picture_type(one.bytes);
    if (type.empty() || one.bytes.size() > kLargestPicture ||
        result.other_content.size() == kMostPictures)
      continue;
    result.other_content.push_back(R"({"type":"image","data":")" + base64(one.bytes) +
                                   R"(","mimeType":")" + std::string(type) + "\"}");
  }
  report.harvest.artifacts.clear();
  result.copy = cli::piece_as_json(report);
  result.more.push_back(std::move(names));
}

Result<void> check_session_name(const serve::Request& arguments) {
  const auto name = TRY(serve::maybe_text(arguments, "session"));
  if (name && (name->empty() || count_code_points(*name) > kLongestSessionName))
    return bad_request("'session' is to be a name of 1 to 200 characters");
  return {};
}

// The time of a piece is its own; the session goes on with the usual one.
Result<SessionOptions> options_of(const ToolCall& call) {
  auto options = TRY(serve::read_session_options(call.arguments, call.resident,
                                                 serve::FilesMayBeNamed::kBelowRoots));
  options.limits.timeout_ms = PieceLimits().timeout_ms;
  return options;
}

// Of a session that was open already: what the call asks for in vain.
std::string came_too_late(const serve::Request& arguments) {
  std::string names;
  for (const std::string_view name : {"policy", "memory_mb", "files"}) {
    if (arguments.members.has(name) && !arguments.members.is_null(name))
      names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  if (names.empty()) return {};
  return names +
         " had no effect: this session was open already. Use another name for one that has "
         "it.";
}

Result<PieceReport> run_in(const ToolCall& call, const serve::LiveSessions::Turn& turn,
                           const PieceRun& piece, std::string& remark) {
  TRY(call.sessions.await(turn, call.stop));
  if (call.sessions.is_new(turn)) {
    TRY(call.sessions.open_if_new(turn, TRY(options_of(call))));
  } else {
    remark = came_too_late(call.arguments);
  }
  Deaf nobody;
  return call.sessions.run(turn, piece, nobody, call.stop);
}

Result<ToolResult> run_python(ToolCall& call) {
  TRY(serve::refuse_others(
      call.arguments, {"code", "session", "inputs", "timeout", "memory_mb", "policy", "files"}));
  TRY(check_session_name(call.arguments));
  const auto piece = TRY(serve::read_piece(call.arguments));
  std::string remark;
  const auto report =
      TRY(call.turn != nullptr ? run_in(call, *call.turn, piece.run(), remark)
                               : run_in(call, call.sessions.enter_alone(), piece.run(), remark));
  ToolResult result{.structured = cli::piece_as_json(report),
                    .is_error = report.end != PieceEnd::kDone};
  if (result.is_error)
    result.more.push_back(explain_piece(
        report, piece.code, call.turn != nullptr ? InSession::kYes : InSession::kAlone));
  tell_artifacts(report, result);
  if (!remark.empty()) result.more.push_back(std::move(remark));
  return result;
}

// A pipeline as it is: its answer is the result.
Result<ToolResult> perform_as(const char* what, ToolCall& call) {
  call.arguments.what = what;
  auto answer = TRY(serve::perform_pipeline(call.arguments, call.resident, &call.sessions,
                                            call.stop, call.on_progress));
  ToolResult result{.structured = std::move(answer.json)};
  if (answer.is_admitted)
    result.more.emplace_back(*answer.is_admitted ? "It is admitted: this is the document."
                                                 : "It is refused: these are the reasons.");
  return result;
}

Result<ToolResult> check_python(ToolCall& call) {
  return perform_as("check", call);
}

Result<ToolResult> validate_extractor(ToolCall& call) {
  auto result = TRY(perform_as("validate", call));
  constexpr std::string_view kValid = "{\"valid\":true";
  if (result.structured.starts_with(kValid))
    result.more.push_back(call.arguments.members.flag("scan").value_or(true)
                              ? "It is valid, and nobody has approved it. " +
                                    std::string(how_to_approve())
                              : "It ran as it should. Whether it passes the security scan is not "
                                "said: 'scan' was false, and a draft has to pass it.");
  return result;
}

Result<ToolResult> infer_rule(ToolCall& call) {
  return perform_as("infer", call);
}

Result<ToolResult> extract_rows(ToolCall& call) {
  auto result = TRY(perform_as("extract", call));
  if (!result.structured.starts_with(serve::kRefusedRows)) return result;
  std::string_view refused = result.structured;
  refused.remove_prefix(serve::kRefusedRows.size());
  refused.remove_suffix(1);
  result.is_error = true;
  result.more.push_back(explain_refusal(refused));
  return result;
}

Result<ToolResult> admit_json(ToolCall& call) {
  return perform_as("admit", call);
}

Result<ToolResult> list_drafts_for_model(ToolCall& call) {
  auto result = TRY(perform_as("drafts", call));
  result.more.emplace_back(how_to_approve());
  return result;
}

// A session's variables change, and nothing else does; twice the same piece may count twice.
constexpr Effects kChangesSession{
    .is_read_only = false, .is_destructive = false, .is_idempotent = false};

constexpr std::array kTools = {
    Tool{
        "run_python", "Run Python in a sealed cell",
        "Runs Python 3.11 in a cell that the kernel closes: no network, no other programs, no "
        "files but /data (read-only) and /out (what is written there comes back as artifacts). Use "
        "it to compute, to try code, to work on data step by step: with the same 'session' each "
        "piece sees what the ones before defined. A session that nobody uses for ten minutes is "
        "closed. An error comes back with line, reason and fix; a piece that had to be killed "
        "takes the session's variables with it, and says so.",
        schemas::kRunIn, schemas::run_out, kChangesSession, true, run_python},
    Tool{"check_python", "Judge Python without running it",
         "Judges Python by an allowlist, without running a line: syntax, security, and whether it "
         "defines extract(path: str) -> dict. Each finding has its line, the reason and what to "
         "write instead. Takes a model's whole answer: fences and prose are taken away.",
         schemas::kCheckIn, schemas::check_out, Effects{}, false, check_python},
    Tool{
        "validate_extractor", "Judge an extractor and try it on sample paths",
        "Judges an extractor, runs it on sample paths in the chamber and judges what comes out: a "
        "result or an error with its line for every path. When it is not valid, retry_context says "
        "what to mend. Nothing is kept, and nothing is approved by it.",
        schemas::kValidateIn, schemas::validate_out, Effects{}, false, validate_extractor},
    Tool{
        "infer_rule", "Write a path rule from examples",
        "Finds typed fields (dates, numbers, codes, names) in example paths and writes a path rule "
        "as YAML, with a confidence from 0 to 100. No code is written or run. Try it with extract "
        "('rules').",
        schemas::kInferIn, schemas::infer_out, Effects{}, false, infer_rule},
    Tool{"extract", "Read fields out of many paths",
         "Runs an approved extractor (by its name), Python source, or path rules over paths: one "
         "row for each, in their order, with data or an error. Source is judged first, and refused "
         "code runs nothing.",
         schemas::kExtractIn, schemas::extract_out, Effects{}, false, extract_rows},
    Tool{"admit_json", "Judge a JSON document before it is kept",
         "The output trust boundary: refuses a document with names that look like secrets, values "
         "that are no JSON, or too much of either; otherwise gives it back with home folders and "
         "secrets taken out.",
         schemas::kAdmitIn, schemas::admit_out, Effects{}, false, admit_json},
    Tool{
        "list_drafts", "What waits for a person's word",
        "The drafts of extractors and rules that passed validation and wait to be approved, the "
        "newest first. Approving is for a person (airlock approve ID --name NAME) and no tool does "
        "it.",
        schemas::kNothingIn, schemas::drafts_out, Effects{}, false, list_drafts_for_model},
};

}  // namespace

std::span<const Tool> airlock_tools() {
  return kTools;
}

}  // namespace airlock::mcp
