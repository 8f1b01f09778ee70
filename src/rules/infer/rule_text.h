// Inferred rules as the YAML that a person would have written. What is printed, saved and tested is
// this text, never the structs: read_rule_file() must give the same rules back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/infer/infer.h"

namespace airlock::rules {

// A file with these rules; `comments` stand at its top, one a line. It reads back with
// read_rule_file().
std::string rule_file_text(std::span<const InferredRule> rules,
                           std::span<const std::string> comments);

// In double quotes, with what YAML would take for something else escaped.
std::string yaml_quoted(std::string_view text);
// Bare where YAML reads it as the same text.
std::string yaml_key(std::string_view text);

}  // namespace airlock::rules
