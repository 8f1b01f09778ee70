// The vetter takes any bytes. What must hold for all of them:
// (1) it accepts exactly when it came to the end and no finding is an error;
// (2) the findings are sorted, not without end, and point into the cleaned code;
// (3) the cleaned code is UTF-8 without NUL, and its line map is empty or has one entry a line;
// (4) the verdict survives the wire;
// (5) text that is Python as it stands is judged as it stands, byte-order mark and line ends aside,
//     whether it came as a program or as an answer (which may be unwrapped when it is JSON);
// (6) a program is never judged as anything else than it is.
// The size of the input picks the stages, so that the bytes are the code and nothing else.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/utf8.h"
#include "model/rule.h"
#include "python/tree.h"
#include "require.h"
#include "text/cleaning.h"
#include "vet/vetter.h"
#include "wire/messages.h"

namespace {

using namespace airlock;

std::vector<std::string_view> split_lines(std::string_view code) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = code.find('\n');
    lines.push_back(code.substr(0, end));
    if (end == std::string_view::npos) return lines;
    code.remove_prefix(end + 1);
  }
}

// One past the last line and one past the last column are where the parser points at the end.
void check_place(const Place& place, const std::vector<std::string_view>& lines) {
  fuzz::require(place.line >= 1 && place.line <= lines.size() + 1);
  fuzz::require(place.end_line >= place.line && place.end_line <= lines.size() + 1);
  fuzz::require(place.end_line > place.line || place.end_column >= place.column);
  const std::size_t width = place.line <= lines.size() ? lines[place.line - 1].size() : 0;
  fuzz::require(place.column <= width + 1);
}

void check_findings(const Verdict& verdict) {
  fuzz::require(verdict.findings.size() <= 500);
  fuzz::require(std::ranges::is_sorted(verdict.findings, {}, [](const Finding& one) {
    return std::tuple(one.place.line, one.place.column, one.place.end_line, one.place.end_column,
                      one.rule->code);
  }));
  const auto lines = split_lines(verdict.code);
  bool has_error = false;
  for (const Finding& one : verdict.findings) {
    fuzz::require(one.rule != nullptr && !one.message.empty());
    has_error = has_error || one.severity == Severity::kError;
    if (!verdict.code.empty()) check_place(one.place, lines);
  }
  const bool is_accepted = verdict.decision == Decision::kAccepted;
  fuzz::require(is_accepted == !has_error);
  fuzz::require(is_accepted == (verdict.stage == Stage::kComplete));
}

void check_code(const Verdict& verdict) {
  fuzz::require(!find_invalid_utf8(verdict.code));
  fuzz::require(verdict.code.find('\0') == std::string::npos);
  const auto ends = static_cast<std::size_t>(std::ranges::count(verdict.code, '\n'));
  const std::size_t count = ends + (!verdict.code.empty() && verdict.code.back() != '\n');
  fuzz::require(verdict.lines.lines.empty() || verdict.lines.lines.size() == count);
}

// By the parser alone: no limits of ours, no declared encoding.
bool is_python(const std::string& code) {
  return std::holds_alternative<python::Tree>(python::parse(code));
}

void check_stands(std::string_view raw, TextKind kind, const Verdict& verdict) {
  if (verdict.code.empty()) return;  // there is a reason for it, and it is an error
  const bool stands = text::is_as_it_stands(raw, verdict.code);
  if (kind == TextKind::kProgram) return fuzz::require(stands);
  const text::Decoded decoded = text::decode(raw);
  if (stands || text::looks_wrapped(decoded.text.code)) return;
  fuzz::require(!is_python(decoded.text.code));
}

const vet::Vetter& vetter() {
  static const auto interpreter = python::Interpreter::start().value().release();
  static_cast<void>(interpreter);
  static const vet::Vetter only(*find_builtin_policy("extractor"));
  return only;
}

}  // namespace

// The interpreter lives until the end of the process, and its objects keep each other alive through
// memory that the leak checker does not look into.
extern "C" const char* __lsan_default_options() {
  return "detect_leaks=0";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view raw(reinterpret_cast<const char*>(data), size);
  const Stages stages{.security = true, .signature = size % 2 == 0, .compile = size % 4 < 2};
  const TextKind kind = size % 8 < 4 ? TextKind::kProgram : TextKind::kAnswer;
  const Verdict verdict = vetter().vet(raw, stages, kind);
  check_stands(raw, kind, verdict);
  check_findings(verdict);
  check_code(verdict);
  const std::string message = wire::encode_verdict(verdict);
  const auto decoded = wire::decode_verdict(message);
  fuzz::require(decoded.has_value());
  fuzz::require(wire::encode_verdict(*decoded) == message);
  return 0;
}
