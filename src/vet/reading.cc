// Clean Python is its own cleaning: the text is parsed as it is first, and only what does not parse
// (or is plainly a wrapper) is taken apart. Candidates are then parsed in order of likelihood, and
// the first that reads is the program. What is reported on, what is judged and what will run is
// always the same text: `Reading::code`.
#include "vet/reading.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/rule.h"
#include "text/cleaning.h"
#include "vet/suggestions.h"

namespace airlock::vet {

namespace {

// A raw answer may carry an explanation around the code.
constexpr std::uint32_t kRawPerSource = 4;

Finding make_finding(RuleCode code, Place place, std::string item, std::string message,
                     std::string suggestion) {
  const Rule& row = rule(code);
  return {&row, row.severity, place, std::move(item), std::move(message), std::move(suggestion)};
}

Finding from_problem(const python::SyntaxProblem& problem, std::string_view code) {
  const bool is_indentation = problem.type == "IndentationError" || problem.type == "TabError";
  const bool is_depth = problem.type == "MemoryError" || problem.type == "RecursionError" ||
                        problem.message.find("too many nested") != std::string::npos;
  const RuleCode which = is_depth         ? RuleCode::kTooDeep
                         : is_indentation ? RuleCode::kIndentation
                                          : RuleCode::kSyntaxError;
  return make_finding(which, problem.place, problem.type, problem.message, suggest(problem, code));
}

Finding from_hopeless(const text::Hopeless& hopeless) {
  const Place place{hopeless.raw_line, hopeless.raw_column, hopeless.raw_line, hopeless.raw_column};
  return make_finding(hopeless.rule, place, hopeless.item, hopeless.message, hopeless.suggestion);
}

// Where a change to the raw text is to be shown: on the first cleaned line at or after it, or on
// the last one.
Place place_of_change(const text::Change& change, const std::string& code, const LineMap& lines) {
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

std::optional<Finding> check_limits(const std::string& code, const VetLimits& limits) {
  if (code.size() > limits.source_bytes) {
    return make_finding(RuleCode::kTooLarge, Place{1, 0, 1, 0}, "source",
                        "The source has " + std::to_string(code.size()) + " bytes; the limit is " +
                            std::to_string(limits.source_bytes),
                        "Make it shorter; the limit is 'source_bytes' in the policy.");
  }
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
struct Attempt {
  text::Candidate candidate;
  std::variant<python::Tree, Finding> outcome;

  bool has_tree() const { return std::holds_alternative<python::Tree>(outcome); }
};

bool is_character_problem(const python::SyntaxProblem& problem) {
  return problem.message.find("invalid character") != std::string::npos ||
         problem.message.find("invalid non-printable character") != std::string::npos;
}

std::variant<python::Tree, python::SyntaxProblem, Finding> parse_within(const std::string& code,
                                                                        const VetLimits& limits) {
  if (auto finding = check_limits(code, limits)) return std::move(*finding);
  if (const auto declared = text::bad_encoding_declaration(code)) return from_hopeless(*declared);
  auto parsed = python::parse(code);
  if (auto* tree = std::get_if<python::Tree>(&parsed)) return std::move(*tree);
  return std::get<python::SyntaxProblem>(std::move(parsed));
}

// Repaired text goes through every check again: a full-width bracket or '#' becomes a real one.
Attempt attempt(text::Candidate candidate, const VetLimits& limits) {
  auto first = parse_within(candidate.code, limits);
  if (auto* tree = std::get_if<python::Tree>(&first))
    return {std::move(candidate), std::move(*tree)};
  if (auto* finding = std::get_if<Finding>(&first))
    return {std::move(candidate), std::move(*finding)};
  const auto problem = std::get<python::SyntaxProblem>(std::move(first));
  if (is_character_problem(problem)) {
    text::Candidate repaired = text::repair_characters(candidate);
    auto second = parse_within(repaired.code, limits);
    if (auto* tree = std::get_if<python::Tree>(&second))
      return {std::move(repaired), std::move(*tree)};
    if (auto* finding = std::get_if<Finding>(&second))
      return {std::move(repaired), std::move(*finding)};
    const auto next = std::get<python::SyntaxProblem>(std::move(second));
    // Further on is better: the character was not the only mistake.
    if (next.place > problem.place) {
      Finding finding = from_problem(next, repaired.code);
      return {std::move(repaired), std::move(finding)};
    }
  }
  Finding finding = from_problem(problem, candidate.code);
  return {std::move(candidate), std::move(finding)};
}

Reading finish(Attempt done) {
  Reading reading;
  reading.code = std::move(done.candidate.code);
  reading.lines = std::move(done.candidate.lines);
  for (text::Change& change : done.candidate.changes) {
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

}  // namespace

Reading read_source(std::string_view raw, const VetLimits& limits) {
  if (raw.size() > std::size_t{limits.source_bytes} * kRawPerSource) {
    return without_code(make_finding(
        RuleCode::kTooLarge, Place{1, 0, 1, 0}, "input",
        "The input has " + std::to_string(raw.size()) + " bytes; the limit is " +
            std::to_string(std::size_t{limits.source_bytes} * kRawPerSource) +
            " for an answer and " + std::to_string(limits.source_bytes) + " for the code in it",
        "Send only the code; the limit is 'source_bytes' in the policy."));
  }
  text::Decoded decoded = text::decode(raw);
  if (!decoded.hopeless.empty()) return without_code(from_hopeless(decoded.hopeless[0]));

  const bool is_wrapped = text::looks_wrapped(decoded.text.code);
  Attempt as_is = attempt(decoded.text, limits);
  if (as_is.has_tree() && !is_wrapped) return finish(std::move(as_is));

  text::Extraction extraction = text::extract_code(decoded.text);
  std::optional<Attempt> best;
  for (text::Candidate& candidate : extraction.candidates) {
    Attempt one = attempt(std::move(candidate), limits);
    if (one.has_tree()) return finish(std::move(one));
    if (!best) best.emplace(std::move(one));
  }
  if (!extraction.hopeless.empty()) return without_code(from_hopeless(extraction.hopeless[0]));
  if (as_is.has_tree() || !best) return finish(std::move(as_is));
  return finish(std::move(*best));
}

}  // namespace airlock::vet
