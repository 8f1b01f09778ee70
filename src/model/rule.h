// The one table of rules. Findings point into it; `airlock check --explain`, SARIF metadata and
// docs/rules.md are printed from it, so none of them can drift. Codes are for ever: a rule may go,
// its code is not used again.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/finding.h"

namespace airlock {

enum class RuleCode : std::uint16_t {
  // AL0xx: what cleaning a model's answer changed
  kFenceRemoved = 1,
  kProseRemoved = 2,
  kThinkingRemoved = 3,
  kWrapperRemoved = 4,
  kByteOrderMarkRemoved = 5,
  kLineEndsChanged = 6,
  kCharactersReplaced = 7,
  kBlockChosen = 8,
  kDecorationRemoved = 9,
  // AL1xx: not a readable program
  kSyntaxError = 101,
  kIndentation = 102,
  kNoCode = 103,
  kTooLarge = 104,
  kTooDeep = 105,
  kNotUtf8 = 106,
  kNulByte = 107,
  kNotPython = 108,
  kEncodingDeclaration = 109,
  kVetterFailed = 110,
  // AL2xx: security
  kForbiddenImport = 201,
  kImportForm = 202,
  kForbiddenBuiltin = 203,
  kModuleAttribute = 204,
  kIntrospection = 205,
  kFileOperation = 206,
  kModuleAsValue = 207,
  kDynamicAttribute = 208,
  kFormatTemplate = 209,
  kClassPattern = 210,
  kForbiddenSyntax = 211,
  kAssembledName = 212,
  kForeignWrite = 213,
  kSpecialName = 214,
  kHiddenCharacter = 215,
  kDynamicClass = 216,
  kUndefinedName = 217,
  kLookAlike = 218,
  // AL3xx: signature
  kMissingExtract = 301,
  kExtractPlace = 302,
  kExtractKind = 303,
  kExtractDecorated = 304,
  kExtractRebound = 305,
  kExtractParameters = 306,
  kParameterName = 307,
  kReturnAnnotation = 308,
  kNoReturn = 309,
  kWrongReturn = 310,
  kSomePathsReturnNothing = 311,
  kAnnotationRunsCode = 312,
};

// All views are of string literals: a Rule lives as long as the program, and may be pointed to.
struct Rule {
  RuleCode code;
  std::string_view name;        // "AL201"
  std::string_view sarif_name;  // "ForbiddenImport": what readers of SARIF show beside the code
  std::string_view kind;        // the kind of violation, for programs: "forbidden_import"
  Stage stage;
  Severity severity;       // of its findings, unless a finding says otherwise
  std::string_view title;  // one line
  std::string_view why;    // a paragraph: what an attacker or a slip does with it
  std::string_view bad;    // an example that is refused; empty where no text can show it
  std::string_view good;   // what to write instead
};

std::span<const Rule> all_rules();

// Never fails: every RuleCode has a row (a test holds that).
const Rule& rule(RuleCode code);

// By number (201) or by name ("AL201", any case); nullptr when there is none.
const Rule* find_rule(std::uint16_t number);
const Rule* find_rule(std::string_view name);

}  // namespace airlock
