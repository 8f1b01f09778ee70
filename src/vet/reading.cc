// Clean Python is its own cleaning: the text is parsed as it is first, and only what the parser
// says is no Python is taken apart (or what Python would make nothing of but a value: an answer in
// JSON). Candidates are then parsed in order of likelihood, and the first that reads is the
// program. What is reported on, what is judged and what will run is always the same text:
// `Reading::code`.
#include "vet/reading.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "model/rule.h"
#include "python/sequence.h"
#include "text/cleaning.h"
#include "vet/suggestions.h"

namespace airlock::vet {

namespace {

// A raw answer may carry an explanation around the code.
// So the raw text may be four times as long as the code in it.
constexpr std::uint32_t kRawPerSource = 4;

Finding make_finding(RuleCode code, Place place, std::string item, std::string message,
                     std::string suggestion) {
  const Rule& row = rule(code);
  return {&row, row.severity, place, std::move(item), std::move(message), std::move(suggestion)};
}

Finding from_problem(const python::SyntaxProblem& problem, std::string_view code) {
  const bool is_indentation = problem.type == "IndentationError" || problem.type == "TabError";
  // CPython's parser says MemoryError when its own stack limit is reached, and the compiler
  // RecursionError: both mean depth here, since our memory is not that small.
  const bool is_depth = problem.type == "MemoryError" || problem.type == "RecursionError" ||
                        problem.message.find("too many nested") != std::string::npos ||
                        problem.message.find("nested too deeply") != std::string::npos;
  const RuleCode which = is_depth         ? RuleCode::kTooDeep
                         : is_indentation ? RuleCode::kIndentation
                                          : RuleCode::kSyntaxError;
  return make_finding(which, problem.place, problem.type, problem.message, suggest(problem, code));
}

Finding from_unrecoverable(const text::Unrecoverable& unrecoverable) {
  const Place place{unrecoverable.raw_line, unrecoverable.raw_column, unrecoverable.raw_line,
                    unrecoverable.raw_column};
  return make_finding(unrecoverable.rule, place, unrecoverable.item, unrecoverable.message,
                      unrecoverable.suggestion);
}

// Where a change to the raw text is to be shown: on the first cleaned line at or after it, or on
// the last one.
Place place_of_change(const text::CleaningChange& change, const std::string& code,
                      const LineMap& lines) {
  std::uint32_t line = change.raw_line;
  if (lines.lines.empty()) {
    const auto ends = static_cast<std::uint32_t>(std::ranges::count(code, '\n'));
    line = std::min(line, std::max(1U, ends + (code.ends_with('\n') ? 0 : 1)));
  } else {
    const auto found = std::ranges::find_if(
        lines.lines, [&](const RawLine& one) { return one.line >= change.raw_line; });
    const auto index = found == lines.lines.end()
                           ? lines.lines.size() - 1
                           : static_cast<std::size_t>(found - lines.lines.begin());
    line = static_cast<std::uint32_t>(index + 1);
  }
  return {line, 0, line, 0};
}

std::optional<Finding> check_size(const std::string& code, std::size_t most) {
  if (code.size() <= most) return std::nullopt;
  return make_finding(RuleCode::kTooLarge, Place{1, 0, 1, 0}, "source",
                      "The source has " + std::to_string(code.size()) + " bytes; the limit is " +
                          std::to_string(most),
                      "Make it shorter; the limit is 'source_bytes' in the policy.");
}

// Before the parser sees the text: CPython's own parser recurses once a bracket.
std::optional<Finding> check_nesting(const std::string& code, const VetLimits& limits) {
  const text::Nesting nesting = text::measure_nesting(code, limits.bracket_depth);
  if (nesting.line != 0) {
    return make_finding(
        RuleCode::kTooDeep, Place{nesting.line, nesting.column, nesting.line, nesting.column + 1},
        "brackets",
        "Brackets are nested deeper than " + std::to_string(limits.bracket_depth) + " levels here",
        "Use a loop, a table or helper functions instead.");
  }
  return std::nullopt;
}

// One attempt at one text.
struct ParseAttempt {
  text::CodeCandidate candidate;
  std::variant<python::Tree, Finding> outcome;

  bool has_tree() const { return std::holds_alternative<python::Tree>(outcome); }
};

bool is_character_problem(const python::SyntaxProblem& problem) {
  return problem.message.find("invalid character") != std::string::npos ||
         problem.message.find("invalid non-printable character") != std::string::npos;
}

// What the parser says of its own bounds, not of the text: with other bounds it may be Python.
bool is_limit(const python::SyntaxProblem& problem) {
  constexpr std::array kErrors = {"SyntaxError", "IndentationError", "TabError"};
  constexpr std::array<std::string_view, 6> kWords = {"too many", "too deep", "nested too deeply",
                                                      "too big",  "overflow", "Exceeds the limit"};
  return std::ranges::none_of(kErrors, [&](auto type) { return problem.type == type; }) ||
         std::ranges::any_of(kWords, [&](std::string_view word) {
           return problem.message.find(word) != std::string::npos;
         });
}

// A Finding: a limit, of which nothing follows about what the text is. A SyntaxProblem: it is no
// Python. `parsed_bytes` bounds what is parsed, `limits.source_bytes` what may be a program.
using Parsed = std::variant<python::Tree, python::SyntaxProblem, Finding>;

Parsed parse_within(const std::string& code, const VetLimits& limits, std::size_t parsed_bytes) {
  if (auto finding = check_size(code, parsed_bytes)) return std::move(*finding);
  if (auto finding = check_nesting(code, limits)) return std::move(*finding);
  // A codec that Python has: the file would be read differently by Python itself, so it is refused
  // before anything is parsed. A name that is no codec may be a heading, and matters only if the
  // text parses.
  const auto declared = text::bad_encoding_declaration(code);
  if (declared && text::is_codec(declared->item)) return from_unrecoverable(*declared);
  auto parsed = python::parse(code);
  if (const auto* problem = std::get_if<python::SyntaxProblem>(&parsed)) {
    if (is_limit(*problem)) return from_problem(*problem, code);
    return *problem;
  }
  if (declared) return from_unrecoverable(*declared);
  if (auto finding = check_size(code, limits.source_bytes)) return std::move(*finding);
  return std::get<python::Tree>(std::move(parsed));
}

Parsed parse_within(const std::string& code, const VetLimits& limits) {
  return parse_within(code, limits, limits.source_bytes);
}

// Repaired text goes through every check again: a full-width bracket or '#' becomes a real one.
ParseAttempt attempt(text::CodeCandidate candidate, Parsed first, const VetLimits& limits) {
  if (auto* tree = std::get_if<python::Tree>(&first))
    return {std::move(candidate), std::move(*tree)};
  if (auto* finding = std::get_if<Finding>(&first))
    return {std::move(candidate), std::move(*finding)};
  const auto problem = std::get<python::SyntaxProblem>(std::move(first));
  if (is_character_problem(problem)) {
    text::CodeCandidate repaired = text::repair_characters(candidate);
    auto second = parse_within(repaired.code, limits);
    if (auto* tree = std::get_if<python::Tree>(&second))
      return {std::move(repaired), std::move(*tree)};
    if (auto* finding = std::get_if<Finding>(&second))
      return {std::move(repaired), std::move(*finding)};
    const auto next = std::get<python::SyntaxProblem>(std::move(second));
    // Further on is better: the character was not the only mistake.
    // The parser stops at the first mistake, so a later place means that the repair helped.
    if (next.place > problem.place) {
      Finding finding = from_problem(next, repaired.code);
      return {std::move(repaired), std::move(finding)};
    }
  }
  Finding finding = from_problem(problem, candidate.code);
  return {std::move(candidate), std::move(finding)};
}

ParseAttempt attempt(text::CodeCandidate candidate, const VetLimits& limits) {
  Parsed first = parse_within(candidate.code, limits);
  return attempt(std::move(candidate), std::move(first), limits);
}

// The notes of cleaning first, then the error if there is no tree.
Reading finish(ParseAttempt done) {
  Reading reading;
  reading.code = std::move(done.candidate.code);
  reading.lines = std::move(done.candidate.lines);
  for (text::CleaningChange& change : done.candidate.changes) {
    Finding note = make_finding(change.rule, place_of_change(change, reading.code, reading.lines),
                                std::move(change.item), std::move(change.message),
                                std::move(change.suggestion));
    note.severity = change.severity;
    reading.findings.push_back(std::move(note));
  }
  if (auto* tree = std::get_if<python::Tree>(&done.outcome)) {
    reading.tree.emplace(std::move(*tree));
  } else {
    reading.findings.push_back(std::move(std::get<Finding>(done.outcome)));
  }
  return reading;
}

Reading without_code(Finding finding) {
  Reading reading;
  reading.findings.push_back(std::move(finding));
  return reading;
}

// A value and nothing else: to run it does nothing.
// A name alone is data too: "Sorry" parses as one.
bool is_data(expr_ty value) {
  const auto all = [](asdl_expr_seq* parts) {
    return std::ranges::all_of(python::items(parts),
                               [](expr_ty one) { return one != nullptr && is_data(one); });
  };
  switch (value->kind) {
    case Constant_kind:
    case Name_kind:
      return true;
    case UnaryOp_kind:
      return is_data(value->v.UnaryOp.operand);
    case List_kind:
      return all(value->v.List.elts);
    case Tuple_kind:
      return all(value->v.Tuple.elts);
    case Dict_kind:
      return all(value->v.Dict.keys) && all(value->v.Dict.values);
    default:
      return false;
  }
}

bool is_data(const python::Tree& tree) {
  const auto body = python::items(tree.module()->v.Module.body);
  return body.size() == 1 && body[0]->kind == Expr_kind && is_data(body[0]->v.Expr.value);
}

// The first reading as a wrapped answer that is Python; else the first that there is, and what the
// text is instead.
struct Unwrapped {
  std::optional<ParseAttempt> best;
  std::optional<Finding> unrecoverable;

  bool has_tree() const { return best && best->has_tree(); }
};

Unwrapped unwrap(const text::CodeCandidate& decoded, const VetLimits& limits) {
  text::Extraction extraction = text::extract_code(decoded);
  Unwrapped out;
  for (text::CodeCandidate& candidate : extraction.candidates) {
    ParseAttempt one = attempt(std::move(candidate), limits);
    if (one.has_tree() || !out.best) out.best.emplace(std::move(one));
    if (out.has_tree()) break;
  }
  if (!extraction.unrecoverable.empty())
    out.unrecoverable = from_unrecoverable(extraction.unrecoverable[0]);
  return out;
}

// For a file: what cleaning would give is not what will run, so it is only pointed out.
Finding needs_cleaning(const python::SyntaxProblem& problem) {
  return make_finding(RuleCode::kNotPython, problem.place, "source",
                      "Only cleaning would make this file Python (" + problem.message + ")",
                      "airlock clean FILE prints the code in it: read that, and put it in the "
                      "place of the file.");
}

// A file is judged as it stands. What cleaning could make of it only decides which words are used
// to refuse it.
Reading read_program(text::CodeCandidate decoded, const VetLimits& limits) {
  Parsed parsed = parse_within(decoded.code, limits);
  if (auto* tree = std::get_if<python::Tree>(&parsed))
    return finish({std::move(decoded), std::move(*tree)});
  if (auto* limit = std::get_if<Finding>(&parsed))
    return finish({std::move(decoded), std::move(*limit)});
  const auto problem = std::get<python::SyntaxProblem>(std::move(parsed));
  Unwrapped unwrapped = unwrap(decoded, limits);
  const bool can_be_cleaned = unwrapped.has_tree() || attempt(decoded, problem, limits).has_tree();
  Finding finding = can_be_cleaned            ? needs_cleaning(problem)
                    : unwrapped.unrecoverable ? std::move(*unwrapped.unrecoverable)
                                              : from_problem(problem, decoded.code);
  return finish({std::move(decoded), std::move(finding)});
}

// What the parser says of it is what its author is told.
Reading read_piece(text::CodeCandidate decoded, const VetLimits& limits) {
  Parsed parsed = parse_within(decoded.code, limits);
  if (auto* tree = std::get_if<python::Tree>(&parsed))
    return finish({std::move(decoded), std::move(*tree)});
  if (auto* limit = std::get_if<Finding>(&parsed))
    return finish({std::move(decoded), std::move(*limit)});
  Finding finding = from_problem(std::get<python::SyntaxProblem>(parsed), decoded.code);
  return finish({std::move(decoded), std::move(finding)});
}

// As it stands if it is Python; else with its characters repaired; else unwrapped. When nothing
// reads, the finding that helps most is kept.
Reading read_answer(text::CodeCandidate decoded, const VetLimits& limits) {
  Parsed parsed =
      parse_within(decoded.code, limits, std::size_t{limits.source_bytes} * kRawPerSource);
  if (auto* limit = std::get_if<Finding>(&parsed))
    return finish({std::move(decoded), std::move(*limit)});
  const auto* tree = std::get_if<python::Tree>(&parsed);
  // A JSON object parses as a Python dict; only such texts are taken apart although they parse.
  const bool stands = tree != nullptr && !(is_data(*tree) && text::looks_wrapped(decoded.code));
  if (stands) return finish({std::move(decoded), std::get<python::Tree>(std::move(parsed))});
  ParseAttempt as_is = attempt(decoded, std::move(parsed), limits);
  if (tree == nullptr && as_is.has_tree()) return finish(std::move(as_is));
  Unwrapped unwrapped = unwrap(decoded, limits);
  if (unwrapped.has_tree()) return finish(std::move(*unwrapped.best));
  if (unwrapped.unrecoverable) return without_code(std::move(*unwrapped.unrecoverable));
  // Nothing is Python. The mistake in the most likely candidate helps more than one in the prose.
  if (as_is.has_tree() || !unwrapped.best) return finish(std::move(as_is));
  return finish(std::move(*unwrapped.best));
}

}  // namespace

Reading read_source(std::string_view raw, const VetLimits& limits, TextKind kind) {
  // Checked before the text is decoded, so that no input costs more than its limit.
  const std::size_t most = std::size_t{limits.source_bytes} * kRawPerSource;
  if (raw.size() > most) {
    return without_code(
        make_finding(RuleCode::kTooLarge, Place{1, 0, 1, 0}, "input",
                     "The input has " + std::to_string(raw.size()) + " bytes; the limit is " +
                         std::to_string(most) + " for an answer and " +
                         std::to_string(limits.source_bytes) + " for the code in it",
                     "Send only the code; the limit is 'source_bytes' in the policy."));
  }
  text::Decoded decoded = text::decode(raw, kind == TextKind::kPiece);
  if (!decoded.unrecoverable.empty())
    return without_code(from_unrecoverable(decoded.unrecoverable[0]));
  switch (kind) {
    case TextKind::kProgram:
      return read_program(std::move(decoded.text), limits);
    case TextKind::kPiece:
      return read_piece(std::move(decoded.text), limits);
    case TextKind::kAnswer:
      break;
  }
  return read_answer(std::move(decoded.text), limits);
}

}  // namespace airlock::vet
