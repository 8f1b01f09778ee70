// What `airlock infer` says about the rules it wrote: JSON with all evidence, or a page for a
// browser. The rule file itself is InferReport::yaml. Pure functions; everything from a path is
// made printable or escaped here.
#pragma once

#include <string>

#include "engine/paths/infer_paths.h"

namespace airlock::cli {

std::string inference_as_json(const InferReport& report);
// What a program needs to go on, on one line: {"yaml", "confidence", "fields"}. Each field is as in
// the report, with the name of its rule.
std::string inferred_rule_as_json(const InferReport& report);
// One page that needs nothing else: no script from elsewhere, no font, no picture.
std::string inference_as_html(const InferReport& report);

}  // namespace airlock::cli
